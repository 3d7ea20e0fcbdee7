package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.StaticDecision;
import dev.penstock.spi.StoreOptions;
import dev.penstock.spi.TripListener;
import dev.penstock.spi.TripObserver;
import io.lettuce.core.resource.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine whose state is in Redis, where any number of nodes can share it.
 *
 * <p>One script decides all charges of an ask in one round trip, by the clock of Redis: either all are made, or none.
 * In a Cluster, this applies to charges in one slot, which a common colocation ensures. Other asks take two round
 * trips, see {@code docs/redis.md}. A command is sent at most once. If its reply is lost, the {@link Reply} fails and
 * it is unknown whether the charge was made. Thread-safe. No call blocks.
 */
public final class RedisEngine implements Engine {
    static final String NAME = "redis";

    /**
     * The version of the data format. It changes only if nodes of the previous version could not work with the new
     * data.
     */
    private static final String FORMAT = "1";

    /** Measures how long callers have waited. Decisions use the clock of Redis. */
    private static final Clock WAITING = Clock.system();

    private final RedisConnection connection;
    private final TripEvidence evidence = new TripEvidence();
    private final KeyNames names;
    private final IdempotencyClaims ids;
    private final PermitStore permits;
    private final SingleAsks singles;
    private final SlotStore slots;
    private final AskRouter router;
    private final RedisFleet fleet;
    private final AccountResets resets;
    private final LoadWatch load;
    private final Clock clock;

    /**
     * Builds each part from the parts that it calls: an ask goes from the router down to a script, and its answer goes
     * back up.
     */
    private RedisEngine(Builder builder) {
        this.names = new KeyNames(builder.prefix + builder.format);
        this.clock = builder.clock;
        long rememberMillis = builder.rememberFor.toMillis();
        CompletableFuture<Void> preparing = CompletableFuture.runAsync(RedisEngine::prepare);
        this.connection = builder.waitForRedis
                ? RedisConnection.open(builder.address, builder.tls, builder.resources, names, evidence)
                : RedisConnection.openLater(builder.address, builder.tls, builder.resources, names, evidence);
        TripReports trips =
                new TripReports(builder.listener, evidence, WAITING, connection::shardOf, connection::serverOf);
        RuleIds ruleIds = new RuleIds(names, connection::commands, builder.clock);
        ScriptCalls scripts = new ScriptCalls(
                builder.runner(connection, trips, Script.DECIDE),
                builder.runner(connection, trips, Script.PERMIT),
                ruleIds,
                builder.clock);
        ShardedAsks shards = new ShardedAsks(WAITING);
        this.ids = new IdempotencyClaims(
                connection,
                names,
                builder.runner(connection, trips, List.of("claim.lua")),
                shards,
                trips,
                rememberMillis);
        this.permits = new PermitStore(connection, names, scripts, trips, rememberMillis);
        Replicas replicas = new Replicas(connection, permits::settle, trips::unconfirmed);
        this.singles = new SingleAsks(connection, names, scripts, ids, replicas, shards, rememberMillis);
        this.slots = new SlotStore(singles, permits);
        Batcher batcher = new Batcher(
                new PackedScripts(target -> builder.runner(connection, trips, Script.of(target)), trips)::run,
                singles::decide,
                ruleIds::of,
                WAITING,
                evidence::lateAfter,
                connection.callbacks());
        this.router = new AskRouter(
                connection.isCluster(), names, ids, slots, singles, batcher, builder.rememberFor, WAITING);
        this.fleet = new RedisFleet(
                connection,
                names,
                new RedisFleet.Scripts(
                        builder.runner(connection, trips, List.of("heartbeat.lua")),
                        builder.runner(connection, trips, List.of("reset.lua")),
                        builder.runner(connection, trips, List.of("notes.lua"))),
                builder.pulse,
                builder.clock);
        this.resets = new AccountResets(connection, names, trips, fleet);
        this.load = LoadWatch.started(connection::servers, builder.listener);
        preparing.join();
    }

    /**
     * Prepares what the first decision would otherwise wait for. It runs while the engine connects, so it adds no
     * delay.
     */
    private static void prepare() {
        Slots.prepare();
        PermitId unused = PermitId.random(NAME, 0);
    }

    /**
     * Returns a builder of an engine on the Redis at this address. Addresses:
     *
     * <ul>
     *   <li>{@code redis://user:password@host:port/database}, or {@code rediss://} for TLS
     *   <li>{@code redis-sentinel://host:port,host:port/database#primary}
     *   <li>{@code redis-cluster://host:port,host:port}
     * </ul>
     */
    public static Builder builder(String uri) {
        return new Builder(RedisAddress.of(uri));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        StaticDecision staticDecision = Expect.present(ask, "ask").staticDecision();
        if (staticDecision != null) {
            return staticDecision.decision(ask, clock.micros());
        }
        return Reply.later(router.decide(ask));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return ids.mayRemember(Expect.present(ask, "ask"));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return Reply.later(permits.settle(Expect.text(permitId, "permitId"), actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return Reply.later(permits.renew(Expect.text(permitId, "permitId")));
    }

    @Override
    public boolean observeTrips(Duration lateAfter, TripObserver observer) {
        evidence.reportTo(Expect.present(observer, "observer"), Expect.present(lateAfter, "lateAfter"));
        return true;
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return !permits.parts(permitId).isEmpty();
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return Expect.present(ask, "ask").size() == 0 ? Completion.DONE : Reply.later(resets.reset(ask));
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return Reply.later(resets.resetCounters(Expect.present(counters, "counters")));
    }

    /** Returns the state of an account, for operators. Charges nothing. */
    public CompletionStage<AccountView> inspect(Charge charge) {
        CompletionStage<Decision> peek =
                singles.decide(Ask.of(Expect.present(charge, "charge")).peek());
        return AccountView.of(names.state(charge), peek, connection.commands());
    }

    /**
     * Returns the number of in-sync replicas of each primary, by host and port. Primaries that do not report it, or do
     * not answer within two seconds, are left out.
     */
    public CompletionStage<Map<String, Integer>> replicas() {
        return connection.replicas();
    }

    /** Returns the primaries of a Cluster, or null for a single server, with or without Sentinels. */
    @Override
    public @Nullable Sharding sharding() {
        return connection.shards();
    }

    /** Returns the fleet. From the first call until the engine is closed, this process counts as a node. */
    @Override
    public Fleet fleet() {
        return fleet.join();
    }

    @Override
    public void close() {
        load.stop();
        fleet.leave();
        connection.close();
    }

    /** For tests: returns how the parts of a spanning ask are decided and ended. */
    SlotStore inSlots() {
        return slots;
    }

    /** Builds a {@link RedisEngine}. Not thread-safe. */
    public static final class Builder {
        private final RedisAddress address;
        private String prefix = "p";
        private String format = FORMAT;
        private UnaryOperator<String> edition = text -> text;
        private Duration rememberFor = Duration.ofMinutes(1);
        private Clock clock = Clock.system();
        private boolean clockDecides;
        private boolean waitForRedis = true;
        private Tls tls = new Tls(null, null, null);
        private @Nullable ClientResources resources;
        private TripListener listener = TripListener.NONE;
        private RedisFleet.Heartbeat pulse = RedisFleet.Heartbeat.DEFAULT;

        private Builder(RedisAddress address) {
            this.address = address;
        }

        /**
         * Sets the prefix of all key names, which is followed by the format version and a colon; {@code p} by default.
         */
        public Builder prefix(String text) {
            prefix = Expect.text(text, "prefix");
            boolean plain = prefix.chars().noneMatch(c -> c == '{' || c == '}' || c <= ' ' || c > '~');
            Expect.that(plain, "prefix", prefix, "ASCII letters, digits and symbols, without spaces and braces");
            return this;
        }

        /**
         * Sets how long the answer to a settled permit, or to a request with an id, is remembered; a minute by default.
         */
        public Builder rememberFor(Duration time) {
            Expect.millis(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        /**
         * Lets the engine start even if Redis does not answer within ten seconds, and connect when Redis does. Until
         * then, every decision fails.
         */
        public Builder startWithoutRedis() {
            waitForRedis = false;
            return this;
        }

        /**
         * For TLS: sets a PEM file of the certificates of the authorities to trust, instead of those that the JDK
         * trusts.
         */
        public Builder trust(Path certificates) {
            tls = new Tls(Expect.present(certificates, "trust"), tls.certificate(), tls.key());
            return this;
        }

        /** For TLS: sets a PEM file of this node's certificate, if Redis asks for one. It needs a {@link #key}. */
        public Builder certificate(Path own) {
            tls = new Tls(tls.trust(), Expect.present(own, "certificate"), tls.key());
            return this;
        }

        /** For TLS: sets a PEM file (PKCS #8, not encrypted) of the key of the {@link #certificate}. */
        public Builder key(Path own) {
            tls = new Tls(tls.trust(), tls.certificate(), Expect.present(own, "key"));
            return this;
        }

        /** For TLS: sets all files at once. */
        Builder tls(StoreOptions.TlsFiles files) {
            tls = new Tls(files.trust(), files.certificate(), files.key());
            return this;
        }

        /** Sets threads that the application shares between its Redis clients. The engine does not shut them down. */
        public Builder resources(ClientResources shared) {
            resources = Expect.present(shared, "resources");
            return this;
        }

        /** Sets the listener that receives a report of every round trip to Redis. */
        public Builder listener(TripListener watching) {
            listener = Expect.present(watching, "listener");
            return this;
        }

        /** For tests: uses this clock for all decisions instead of the clock of Redis. */
        Builder countBy(Clock other) {
            clock = other;
            clockDecides = true;
            return this;
        }

        /** For tests: imitates a node of another build, with another version of the format. */
        Builder format(String version) {
            format = version;
            return this;
        }

        /** For tests: imitates a node of another build, whose scripts are changed by this function. */
        Builder edition(UnaryOperator<String> changed) {
            edition = changed;
            return this;
        }

        /** For tests: sets a shorter heartbeat, so that nodes come and go faster. */
        Builder pulse(RedisFleet.Heartbeat other) {
            pulse = other;
            return this;
        }

        private ScriptRunner runner(RedisConnection connection, TripReports trips, List<String> files) {
            Script script = clockDecides ? Script.onGivenTime(files) : Script.of(files);
            ScriptRunner.Time time = clockDecides ? ScriptRunner.Time.GIVEN : ScriptRunner.Time.OF_THE_STORE;
            return new ScriptRunner(
                    script.changed(edition), connection::commands, connection::noteFailure, trips, clock, time);
        }

        /**
         * Builds the engine. Throws an {@link IllegalStateException} with a one-line message if Redis does not answer,
         * unless the engine may {@linkplain #startWithoutRedis start without Redis}.
         */
        @CheckReturnValue
        public RedisEngine build() {
            return new RedisEngine(this);
        }
    }
}
