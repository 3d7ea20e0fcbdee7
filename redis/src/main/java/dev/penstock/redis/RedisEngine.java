package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
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
 * The engine whose state lives in Redis, where any number of nodes share it.
 *
 * <p>All charges of an ask are decided by one script in one trip: all are made, or none, on the clock of Redis. In a
 * Cluster that holds for charges in one slot, which a common colocation sees to; others take two trips, see
 * {@code docs/redis.md}. A command is sent at most once; where its answer is lost, the reply fails and nothing is known
 * of the charge. Thread-safe; no call blocks.
 */
public final class RedisEngine implements Engine {
    static final String NAME = "redis";

    /** The version of what is kept under a key, for changes that no node of the version before could live with. */
    private static final String FORMAT = "1";

    /** By which callers wait, whatever clock decides. */
    private static final Clock WAITING = Clock.system();

    private final RedisConnection connection;
    private final TripEvidence evidence = new TripEvidence();
    private final KeyNames names;
    private final IdempotencyRecords ids;
    private final PermitStore permits;
    private final SingleAsks singles;
    private final SlotStore slots;
    private final AskRouter router;
    private final RedisFleet fleet;
    private final AccountResets resets;
    private final LoadWatch load;
    private final Clock clock;

    /** Builds each part from those that it calls: an ask goes from the router down to a script, and its answer back up. */
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
        this.ids = new IdempotencyRecords(
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
                new BatchScript(builder.runner(connection, trips, Script.BATCH), trips)::run,
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

    /** Has ready what the first decision would wait for; beside connecting it costs no time. */
    private static void prepare() {
        Slots.prepare();
        PermitId unused = PermitId.random(NAME, 0);
    }

    /**
     * An engine on the Redis at that address: {@code redis://user:password@host:port/database}; {@code rediss://} for TLS;
     * {@code redis-sentinel://host:port,host:port/database#primary}; {@code redis-cluster://host:port,host:port}.
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

    /** How an account stands, for operators; charges nothing. */
    public CompletionStage<AccountView> inspect(Charge charge) {
        CompletionStage<Decision> peek =
                singles.decide(Ask.of(Expect.present(charge, "charge")).peek());
        return AccountView.of(names.state(charge), peek, connection.commands());
    }

    /**
     * The number of replicas that are in step with each primary, by its host and port. Servers that do not tell, or do not
     * answer within two seconds, are left out.
     */
    public CompletionStage<Map<String, Integer>> replicas() {
        return connection.replicas();
    }

    /** The primaries of a Cluster; null for one server and for what Sentinels watch. */
    @Override
    public @Nullable Sharding sharding() {
        return connection.shards();
    }

    /** Whoever asks for it is counted as a node from then on, until the engine is closed. */
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

    /** For tests: how the parts of a spanning ask are decided and ended. */
    SlotStore inSlots() {
        return slots;
    }

    /** Settings of a {@link RedisEngine}. Not thread-safe. */
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
        private RedisFleet.Pulse pulse = RedisFleet.Pulse.DEFAULT;

        private Builder(RedisAddress address) {
            this.address = address;
        }

        /** What the names of all keys begin with, before the format's version and a colon; {@code p} by default. */
        public Builder prefix(String text) {
            prefix = Expect.text(text, "prefix");
            boolean plain = prefix.chars().noneMatch(c -> c == '{' || c == '}' || c <= ' ' || c > '~');
            Expect.that(plain, "prefix", prefix, "letters, digits and signs, without braces");
            return this;
        }

        /** How long the answer to a settled permit, or to a request with an id, is remembered; a minute by default. */
        public Builder rememberFor(Duration time) {
            Expect.millis(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        /**
         * Starts even where Redis does not answer within ten seconds, and connects when it does; until then every
         * decision fails.
         */
        public Builder startWithoutRedis() {
            waitForRedis = false;
            return this;
        }

        /** With TLS: a file, in PEM, of the certificates that may vouch for Redis, in the place of those of the JDK. */
        public Builder trust(Path certificates) {
            tls = new Tls(Expect.present(certificates, "trust"), tls.certificate(), tls.key());
            return this;
        }

        /** With TLS: a file, in PEM, of this node's own certificate, where Redis asks for one; with a {@link #key}. */
        public Builder certificate(Path own) {
            tls = new Tls(tls.trust(), Expect.present(own, "certificate"), tls.key());
            return this;
        }

        /** With TLS: a file, in PEM (PKCS #8, not encrypted), of the key of the {@link #certificate}. */
        public Builder key(Path own) {
            tls = new Tls(tls.trust(), tls.certificate(), Expect.present(own, "key"));
            return this;
        }

        /** With TLS: all of its files at once. */
        Builder tls(StoreOptions.TlsFiles files) {
            tls = new Tls(files.trust(), files.certificate(), files.key());
            return this;
        }

        /** Threads that the application shares between its clients of Redis; the engine does not end them. */
        public Builder resources(ClientResources shared) {
            resources = Expect.present(shared, "resources");
            return this;
        }

        /** Is told of every trip to Redis. */
        public Builder listener(TripListener watching) {
            listener = Expect.present(watching, "listener");
            return this;
        }

        /** For tests: everything is counted by this clock instead of that of Redis. */
        Builder countBy(Clock other) {
            clock = other;
            clockDecides = true;
            return this;
        }

        /** For tests: a node of another build, with another version of the format. */
        Builder format(String version) {
            format = version;
            return this;
        }

        /** For tests: a node of another build, whose scripts are these changed so. */
        Builder edition(UnaryOperator<String> changed) {
            edition = changed;
            return this;
        }

        /** For tests: nodes come and go faster. */
        Builder pulse(RedisFleet.Pulse other) {
            pulse = other;
            return this;
        }

        private ScriptRunner runner(RedisConnection connection, TripReports trips, List<String> files) {
            Script script = clockDecides ? Script.onGivenTime(files) : Script.of(files);
            ScriptRunner.Time time = clockDecides ? ScriptRunner.Time.GIVEN : ScriptRunner.Time.OF_THE_STORE;
            return new ScriptRunner(
                    script.changed(edition), connection::commands, connection::noteFailure, trips, clock, time);
        }

        /** The engine; refuses in one line where Redis does not answer, unless it may start without. */
        public RedisEngine build() {
            return new RedisEngine(this);
        }
    }
}
