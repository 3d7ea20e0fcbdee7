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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
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
 * <p>{@link #inMemory} needs only {@code penstock-core}. {@link #redis} also needs {@code penstock-redis}, and policy
 * files need {@code penstock-policy}. The artifact {@code dev.penstock:penstock} includes all three.
 */
public final class Penstock {
    private Penstock() {}

    /** Returns a builder of a limiter that counts only in this process. */
    @CheckReturnValue
    public static Builder inMemory() {
        return new Builder(null);
    }

    /**
     * Returns a builder of a limiter that counts in Redis, together with all other nodes that use it.
     *
     * @param uri {@code redis://user:password@host:port/database}; {@code rediss://} for TLS; {@code
     *     redis-sentinel://host:port,host:port/database#primary}; {@code redis-cluster://host:port,host:port}
     */
    @CheckReturnValue
    public static Builder redis(String uri) {
        return new Builder(Expect.text(uri, "uri"));
    }

    /** Builds a {@link Limiter} and its engines. Not thread-safe. */
    public static final class Builder {
        private final @Nullable String uri;
        private final List<DecisionListener> listeners = new ArrayList<>();
        private final EngineStack.Builder stack = EngineStack.builder(this::openStore);
        private StackObserver observer = new StackObserver() {};
        private List<Path> files = List.of();
        private @Nullable PolicySet policies;
        private @Nullable String keyPrefix;
        private StoreOptions.@Nullable TlsFiles tls;
        private @Nullable Duration rememberFor;
        private final MemoryEngine.Builder memory = MemoryEngine.builder();
        private final Set<String> needRedis = new LinkedHashSet<>();

        private Builder(@Nullable String uri) {
            this.uri = uri;
        }

        /**
         * Loads policies from files and directories, and watches them. A change takes effect within two seconds. If the
         * new version has an error, the previous one stays in use.
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

        /** Uses policies from another source, which the caller closes. */
        public Builder policies(PolicySet other) {
            policies = Expect.present(other, "policies");
            files = List.of();
            return this;
        }

        /**
         * Sets how long Redis may take for a decision that has no timeout of its own; 100 ms by default. If Redis takes
         * longer, the policies' {@linkplain FailureMode failure modes} decide.
         */
        public Builder deadline(Duration atMost) {
            stack.deadline(atMost);
            needRedis.add("deadline");
            return this;
        }

        /**
         * Sets the number of nodes that share the limits, including this one. While Redis is down, the nodes divide the
         * limits by this number. By default, the nodes count one another in Redis.
         */
        public Builder nodes(int expected) {
            stack.nodes(expected);
            needRedis.add("nodes");
            return this;
        }

        /** Sets the prefix of all keys in Redis; {@code p} by default. */
        public Builder keyPrefix(String prefix) {
            keyPrefix = Expect.text(prefix, "keyPrefix");
            needRedis.add("keyPrefix");
            return this;
        }

        /**
         * Sets the PEM files for a TLS connection to a {@code rediss://} address.
         *
         * @param trust the authorities that may issue Redis's certificate; null for those that the JDK trusts
         * @param certificate the client certificate of this node; null if Redis does not require one
         * @param key the private key of that certificate (PKCS #8, not encrypted), or null
         */
        public Builder tls(@Nullable Path trust, @Nullable Path certificate, @Nullable Path key) {
            tls = new StoreOptions.TlsFiles(trust, certificate, key);
            needRedis.add("tls");
            return this;
        }

        /**
         * Sets the maximum number of decisions that wait for Redis at a time; 4,096 by default. Any more are denied as
         * {@link Denied.Reason#OVERLOADED}.
         */
        public Builder maxWaiting(int decisions) {
            stack.maxWaiting(decisions);
            needRedis.add("maxWaiting");
            return this;
        }

        /**
         * Sets the maximum number of new keys that this node creates in Redis per second, for each policy; 10,000 by
         * default, null for no maximum. Only keys that live for more than a minute count.
         */
        public Builder newKeysPerSecond(@Nullable Integer keys) {
            stack.newKeysPerSecond(keys);
            needRedis.add("newKeysPerSecond");
            return this;
        }

        /**
         * Sets how long a decision without a timeout may wait in total while Redis is healthy; one second by default.
         * After that it is denied as {@link Denied.Reason#OVERLOADED}.
         */
        public Builder maxWait(Duration atMost) {
            stack.maxWait(atMost);
            needRedis.add("maxWait");
            return this;
        }

        /**
         * Sets how long local shares may decide while Redis is down; ten minutes by default. After that, the mode set
         * with {@link #then} decides. A policy with a bound of its own takes precedence.
         */
        public Builder localFor(Duration atMost) {
            stack.localFor(atMost);
            needRedis.add("localFor");
            return this;
        }

        /** Sets the failure mode after {@link #localFor}; {@code LOCAL}, the default, keeps the shares. */
        public Builder then(FailureMode mode) {
            stack.then(mode);
            needRedis.add("then");
            return this;
        }

        /**
         * Sets the maximum number of keys for which this node keeps what Redis last reported, to continue from there if
         * Redis dies. The default depends on the heap, and is at most 100,000.
         */
        public Builder outageKeys(int most) {
            stack.outageKeys(most);
            needRedis.add("outageKeys");
            return this;
        }

        /** Sets the maximum number of keys whose denials this node repeats without Redis; 65,536 by default. */
        public Builder denyCacheKeys(int most) {
            stack.denyCacheKeys(most);
            needRedis.add("denyCacheKeys");
            return this;
        }

        /** Sets the maximum number of keys whose demand is tracked to lease permits; 100,000 by default. */
        public Builder leaseKeys(int most) {
            stack.leaseKeys(most);
            needRedis.add("leaseKeys");
            return this;
        }

        /**
         * Sets the maximum number of keys that are counted in this process. The default is a million, or as many as fit
         * in a quarter of the heap. With Redis, these are the keys of limits with {@link PolicyLimit#local}.
         */
        public Builder maxKeys(int most) {
            memory.maxKeys(most);
            stack.localKeys(most);
            return this;
        }

        /** Sets what happens to a new key if {@link #maxKeys} keys are in use. By default, an old key is evicted. */
        public Builder whenFull(MemoryEngine.WhenFull choice) {
            memory.whenFull(choice);
            stack.whenFull(choice);
            return this;
        }

        /**
         * Sets how long the answer to a settled permit, or to a request with an id, is remembered; a minute by default.
         */
        public Builder rememberFor(Duration time) {
            stack.rememberFor(time);
            memory.rememberFor(time);
            rememberFor = time;
            return this;
        }

        /** Adds a listener, which is called with every decision. */
        public Builder listener(DecisionListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /**
         * Adds a listener, which is called when an outage of Redis begins, when a failure mode reaches its time limit,
         * and when Redis is back.
         */
        public Builder outageListener(StoreOutageListener listener) {
            stack.outageListener(listener);
            needRedis.add("outageListener");
            return this;
        }

        /**
         * Sets an observer of the whole stack, such as {@code PenstockMeters.to(registry)} of {@code penstock-observe}.
         */
        public Builder observer(StackObserver other) {
            observer = Expect.present(other, "observer");
            stack.observer(other);
            return this;
        }

        /**
         * Builds the limiter and warms it up. With Redis, it waits up to ten seconds for the
         * connection, and then warms up for up to three seconds. If Redis does not answer, the
         * limiter starts anyway: the policies' failure modes decide until Redis answers, and the
         * log says so.
         *
         * @throws IllegalArgumentException if a setting or a policy file is invalid; the message lists all errors
         * @throws IllegalStateException if a required module is missing; the message names it
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
                Expect.that(
                        needRedis.isEmpty(),
                        String.join(", ", needRedis),
                        "given without Redis",
                        "Penstock.redis(uri)");
                return memory.build();
            }
            EngineStack built = buildStack();
            built.guard().warmUp();
            return built.engine();
        }

        /**
         * Builds only the engines around Redis, for applications that build their own limiter. Nothing is warmed up.
         */
        @CheckReturnValue
        public EngineStack buildStack() {
            Expect.present(uri, "uri");
            return stack.build();
        }

        private Engine openStore() {
            String address = Expect.present(uri, "uri");
            return store(new StoreOptions(address, keyPrefix, tls, rememberFor, observer.trips()));
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
