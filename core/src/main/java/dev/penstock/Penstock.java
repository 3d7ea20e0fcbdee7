package dev.penstock;

import dev.penstock.engine.EngineStack;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.engine.StoreOutageListener;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import dev.penstock.spi.PolicyFileProvider;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.StackObserver;
import dev.penstock.spi.StoreOptions;
import dev.penstock.spi.StoreProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Limiter} with all its engines in one call:
 *
 * <pre>{@code
 * try (Limiter limiter = Penstock.redis("redis://localhost:6379")
 *         .policies(Path.of("policies.yaml"))
 *         .build()) {
 *     if (limiter.tryAcquire("user", "alice")) {
 *         serve();
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #inMemory} needs only {@code penstock-core}. {@link #redis} needs {@code penstock-redis}, and policy files need
 * {@code penstock-policy}; the artifact {@code dev.penstock:penstock} brings all three.
 */
public final class Penstock {
    private Penstock() {}

    /** Starts a limiter that counts in this process alone. */
    @CheckReturnValue
    public static Builder inMemory() {
        return new Builder(null);
    }

    /**
     * Starts a limiter whose nodes share a Redis: {@code redis://user:password@host:port/database}; {@code rediss://} for TLS;
     * {@code redis-sentinel://host:port,host:port/database#primary}; {@code redis-cluster://host:port,host:port}.
     */
    @CheckReturnValue
    public static Builder redis(String uri) {
        return new Builder(Expect.text(uri, "uri"));
    }

    /** Settings of the whole stack. Not thread-safe. */
    public static final class Builder {
        private final @Nullable String uri;
        private final List<DecisionListener> listeners = new ArrayList<>();
        private final EngineStack.Builder stack = EngineStack.builder(this::openStore);
        private StackObserver observer = new StackObserver() {};
        private List<Path> files = List.of();
        private @Nullable PolicySet policies;
        private @Nullable String keyPrefix;
        private StoreOptions.@Nullable TlsFiles tls;

        private Builder(@Nullable String uri) {
            this.uri = uri;
        }

        /**
         * Loads policies from files and directories. The files are watched: a change takes effect within a second, and a file
         * with an error changes nothing.
         */
        public Builder policies(Path... paths) {
            files = List.of(Expect.present(paths, "paths"));
            Expect.that(!files.isEmpty(), "paths", files, "at least one");
            policies = null;
            return this;
        }

        /** Uses these policies. Each must have its own name. */
        public Builder policies(Policy... all) {
            return policies(Policy.setOf(all));
        }

        /** Uses policies of another source, which the caller closes. */
        public Builder policies(PolicySet other) {
            policies = Expect.present(other, "policies");
            files = List.of();
            return this;
        }

        /**
         * How long Redis may take over a decision that has no timeout of its own; 100 ms by default. A decision that takes longer
         * is made by its policies' {@linkplain FailureMode failure modes}.
         */
        public Builder deadline(Duration atMost) {
            stack.deadline(atMost);
            return this;
        }

        /**
         * The number of nodes that share the limits, this one included. By default, nodes count one another in Redis. Nodes use it
         * to divide limits among themselves while Redis is away.
         */
        public Builder nodes(int expected) {
            stack.nodes(expected);
            return this;
        }

        /** The text that the names of all keys in Redis begin with; {@code p} by default. */
        public Builder keyPrefix(String prefix) {
            keyPrefix = Expect.text(prefix, "keyPrefix");
            return this;
        }

        /**
         * The files of a TLS connection to a {@code rediss://} address, all in PEM.
         *
         * @param trust the certificates of authorities that may vouch for Redis; null for those that the JDK trusts
         * @param certificate this node's own certificate, and null if Redis asks for none
         * @param key the key of that certificate (PKCS #8, not encrypted), or null
         */
        public Builder tls(@Nullable Path trust, @Nullable Path certificate, @Nullable Path key) {
            tls = new StoreOptions.TlsFiles(trust, certificate, key);
            return this;
        }

        /** The number of decisions that may wait for Redis at a time; see {@link dev.penstock.engine.Guard.Builder#maxWaiting}. */
        public Builder maxWaiting(int decisions) {
            stack.maxWaiting(decisions);
            return this;
        }

        /** The number of new long-lived keys per policy and second in Redis; null for no bound. */
        public Builder newKeysPerSecond(@Nullable Integer keys) {
            stack.newKeysPerSecond(keys);
            return this;
        }

        /** Reports every decision. */
        public Builder listener(DecisionListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /** Reports when Redis is given up and when it is back. */
        public Builder outageListener(StoreOutageListener listener) {
            stack.outageListener(listener);
            return this;
        }

        /** Watches everything, such as {@code PenstockMeters.to(registry)} of {@code penstock-observe}. */
        public Builder observer(StackObserver other) {
            observer = Expect.present(other, "observer");
            stack.observer(other);
            return this;
        }

        /**
         * Builds the limiter and warms it up, which takes up to three seconds with Redis, and about five if Redis does not answer. If Redis
         * is away, the limiter starts all the same: the policies' failure modes decide until it is there, and the log says so.
         *
         * @throws IllegalArgumentException if a setting or a policy file is wrong; the message names everything that is
         * @throws IllegalStateException if the module that is needed is missing; the message names it
         */
        @CheckReturnValue
        public Limiter build() {
            PolicySet given = policies;
            if (given != null) {
                return limiter(given).build();
            }
            Expect.that(!files.isEmpty(), "policies", null, "files or policies");
            PolicyFileProvider.WatchedPolicies watched = policyFileProvider().watch(files);
            try {
                return limiter(watched).source(watched).build();
            } catch (RuntimeException e) {
                watched.close();
                throw e;
            }
        }

        private Limiter.Builder limiter(PolicySet decided) {
            Limiter.Builder limiter = Limiter.builder(decided).engine(observer.around(engine()));
            listeners.forEach(limiter::listener);
            observer.decisions().forEach(limiter::listener);
            return limiter;
        }

        private Engine engine() {
            if (uri == null) {
                return MemoryEngine.create();
            }
            EngineStack built = buildStack();
            built.guard().warmUp();
            return built.engine();
        }

        /** Builds only the engines around Redis, for applications that make their limiter themselves. Nothing is warmed up. */
        @CheckReturnValue
        public EngineStack buildStack() {
            Expect.present(uri, "uri");
            return stack.build();
        }

        private Engine openStore() {
            String address = Expect.present(uri, "uri");
            return store(new StoreOptions(address, keyPrefix, tls, observer.trips()));
        }

        private static Engine store(StoreOptions options) {
            for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Penstock.class.getClassLoader())) {
                if (provider.opens(options.uri())) {
                    return provider.open(options);
                }
            }
            throw new IllegalStateException("no store for this address (expected: dev.penstock:penstock-redis among the"
                    + " dependencies, or dev.penstock:penstock, and an address that begins with redis)");
        }

        private static PolicyFileProvider policyFileProvider() {
            return ServiceLoader.load(PolicyFileProvider.class, Penstock.class.getClassLoader())
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no reader of policy files (expected:"
                            + " dev.penstock:penstock-policy among the dependencies, or dev.penstock:penstock)"));
        }
    }
}
