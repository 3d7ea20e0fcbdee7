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
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Resets;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.StaticDecision;
import dev.penstock.spi.StoreOptions;
import dev.penstock.spi.TripListener;
import dev.penstock.spi.TripObserver;
import io.lettuce.core.resource.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

    /** How long a request that spans slots may hold its cost before it is confirmed. */
    static final Duration HOLD_LIFE = Duration.ofSeconds(2);

    /** By which callers wait, whatever clock decides. */
    private static final Clock WAITING = Clock.system();

    private final ShardedAsks lone = new ShardedAsks(WAITING);

    private final RedisConnection connection;
    private final TripEvidence evidence = new TripEvidence();
    private final TripReports trips;
    private final ScriptCalls longWay;
    private final IdempotencyRecords ids;
    private final ScriptRunner batch;
    private final Batcher batcher;
    private final Replicas replicas;
    private final KeyNames names;
    private final RedisFleet fleet;
    private final LoadWatch load;
    private final long rememberMillis;
    private final Duration remembered;
    private final Clock clock;

    private RedisEngine(Builder builder) {
        this.names = new KeyNames(builder.prefix + builder.format);
        this.rememberMillis = builder.rememberFor.toMillis();
        this.remembered = builder.rememberFor;
        this.clock = builder.clock;
        CompletableFuture<Void> preparing = CompletableFuture.runAsync(RedisEngine::prepare);
        this.connection = builder.waitForRedis
                ? RedisConnection.open(builder.address, builder.tls, builder.resources, names, evidence)
                : RedisConnection.openLater(builder.address, builder.tls, builder.resources, names, evidence);
        this.trips = new TripReports(builder.listener, evidence, WAITING, connection::shardOf, connection::serverOf);
        RuleIds marks = new RuleIds(names, connection::commands, builder.clock);
        this.longWay = new ScriptCalls(
                builder.runner(
                        connection, trips, "expiry.lua", "rule_ids.lua", "rules.lua", "account.lua", "decide.lua"),
                builder.runner(
                        connection, trips, "expiry.lua", "rule_ids.lua", "rules.lua", "account.lua", "permit.lua"),
                marks);
        ScriptRunner claim = builder.runner(connection, trips, "claim.lua");
        this.ids = new IdempotencyRecords(connection, names, claim, lone, trips, rememberMillis);
        this.batch = builder.runner(connection, trips, "expiry.lua", "rule_ids.lua", "batch.lua");
        this.batcher = new Batcher(
                this::send,
                asked -> decideByItself(asked.ask()),
                marks::of,
                WAITING,
                evidence::lateAfter,
                connection.callbacks());
        this.replicas = new Replicas(connection, this::settle, trips::unconfirmed);
        this.fleet = new RedisFleet(
                connection,
                names,
                new RedisFleet.Scripts(
                        builder.runner(connection, trips, "heartbeat.lua"),
                        builder.runner(connection, trips, "reset.lua"),
                        builder.runner(connection, trips, "notes.lua")),
                builder.pulse,
                builder.clock);
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
        return ids.mustBeClaimed(ask) ? Reply.later(ids.decideClaimed(ask, () -> decideAt(ask))) : decideAt(ask);
    }

    private Reply<Decision> decideAt(Ask ask) {
        if (connection.isCluster() && SpanningAsk.spans(ask, names)) {
            return Reply.later(
                    new SpanningAsk(ask, names, ask.id() == null ? HOLD_LIFE : remembered, inSlots()).decide());
        }
        if (mustBeReplicated(ask)) {
            return Reply.later(decideReplicated(ask).thenApply(seen -> seen.decision(ask)));
        }
        BatchedAsk simple = BatchedAsk.of(ask, names, WAITING.micros());
        if (simple == null) {
            return Reply.later(decideByItself(ask));
        }
        return Reply.later(connection.isCluster() ? batcher.decideAlone(simple) : batcher.decide(simple));
    }

    private CompletionStage<byte[]> send(Batch together) {
        trips.together(together.size());
        return batch.run(together.keys(), together.argument());
    }

    private CompletionStage<Decision> decideByItself(Ask ask) {
        return seenByItself(ask).thenApply(seen -> seen.decision(ask));
    }

    private CompletionStage<StoreAnswer> seenByItself(Ask ask) {
        DecideCall call = call(ask);
        return lone.send(ask, connection.shardOf(call.key()), () -> longWay.ask(call));
    }

    private static boolean mustBeReplicated(Ask ask) {
        return ask.replicas() > 0 && ask.size() > 0 && ask.purpose() == Ask.Purpose.DECIDE;
    }

    private CompletionStage<StoreAnswer> decideReplicated(Ask ask) {
        DecideCall call = call(ask);
        return replicas.decide(
                ask,
                Slots.of(names.state(ask.charge(0))),
                commands -> longWay.by(commands).ask(call));
    }

    private DecideCall call(Ask ask) {
        int slot = ids.slotOf(ask);
        String idKey = ids.answerKey(ask, slot);
        PermitId permitId = DecideCall.mayHold(ask) ? PermitId.random(NAME, slot) : null;
        return new DecideCall(ask, names, idKey, permitId, rememberMillis, longWay.ownMarks(ask));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return ids.mayRemember(Expect.present(ask, "ask"));
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return Reply.later(end(PermitCall.Verb.SETTLE, Expect.text(permitId, "permitId"), actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return Reply.later(end(PermitCall.Verb.RENEW, Expect.text(permitId, "permitId"), null));
    }

    CompletionStage<Settlement> giveBack(PermitHandle grant, Costs nothing) {
        return end(PermitCall.Verb.GIVE_BACK, grant.id(), nothing);
    }

    private CompletionStage<Settlement> end(PermitCall.Verb verb, String permitIds, @Nullable Costs actual) {
        CompletionStage<Settlement> all = null;
        for (PermitId permitId : parts(permitIds)) {
            CompletionStage<Settlement> one = endOne(verb, permitId, actual);
            all = all == null ? one : all.thenCombine(one, PermitCall::together);
        }
        return all == null ? CompletableFuture.completedStage(Settlement.unknown()) : all;
    }

    /** Only in a Cluster does a permit consist of several. */
    private List<PermitId> parts(String permitIds) {
        return PermitId.parse(NAME, permitIds, connection.isCluster() ? Ask.MOST_CHARGES : 1);
    }

    private CompletionStage<Settlement> endOne(PermitCall.Verb verb, PermitId permitId, @Nullable Costs actual) {
        String key = names.permit(permitId);
        CompletionStage<Map<String, byte[]>> record;
        try {
            record = trips.watch(key, () -> connection.commands().hgetall(key))
                    .exceptionallyCompose(failure -> KeyErrors.failed(failure, key));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
        return record.thenCompose(known -> known.isEmpty()
                ? CompletableFuture.completedStage(Settlement.unknown())
                : longWay.end(new PermitCall(verb, permitId.text(), key, known, actual, rememberMillis)));
    }

    @Override
    public boolean observeTrips(Duration lateAfter, TripObserver observer) {
        evidence.reportTo(Expect.present(observer, "observer"), Expect.present(lateAfter, "lateAfter"));
        return true;
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return !parts(permitId).isEmpty();
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        List<String> keys = new ArrayList<>();
        for (Charge charge : Expect.present(ask, "ask").charges()) {
            names.addAccount(charge, keys);
        }
        if (keys.isEmpty()) {
            return Completion.DONE;
        }
        try {
            return Reply.later(trips.watch(
                            keys.get(0), () -> connection.commands().del(keys.toArray(String[]::new)))
                    .thenApply(count -> {
                        fleet.announce(Resets.of(ask));
                        return Completion.DONE;
                    }));
        } catch (RuntimeException e) {
            return Reply.later(CompletableFuture.failedStage(e));
        }
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        try {
            CompletionStage<Completion> swept =
                    new CounterSweep(connection.commands(), names, Expect.present(counters, "counters")).run();
            return Reply.later(swept.thenApply(done -> {
                fleet.announce(Resets.ALL);
                return done;
            }));
        } catch (RuntimeException e) {
            return Reply.later(CompletableFuture.failedStage(e));
        }
    }

    /** How an account stands, for operators; charges nothing. */
    public CompletionStage<AccountView> inspect(Charge charge) {
        CompletionStage<Decision> peek =
                decideByItself(Ask.of(Expect.present(charge, "charge")).peek());
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

    /** How the parts of a spanning ask are decided and ended. */
    SpanningAsk.Store inSlots() {
        return new SlotStore(this);
    }

    /** Decides the charges of one slot. */
    CompletionStage<StoreAnswer> decideInSlot(Ask part) {
        return mustBeReplicated(part) ? decideReplicated(part) : seenByItself(part);
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

        private ScriptRunner runner(RedisConnection connection, TripReports trips, String... files) {
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
