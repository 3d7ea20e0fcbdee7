package dev.penstock.engine;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.guard.Fallback;
import dev.penstock.internal.guard.FallbackWarmUp;
import dev.penstock.internal.guard.JointReturn;
import dev.penstock.internal.guard.LimitShares;
import dev.penstock.internal.guard.LocalShares;
import dev.penstock.internal.guard.OutageLog;
import dev.penstock.internal.guard.OutageReplay;
import dev.penstock.internal.guard.Outages;
import dev.penstock.internal.guard.PermitOperation;
import dev.penstock.internal.guard.ReplyDeadlines;
import dev.penstock.internal.guard.Shard;
import dev.penstock.internal.guard.ShardTable;
import dev.penstock.internal.guard.StoreDeadline;
import dev.penstock.internal.guard.StoreFailures;
import dev.penstock.internal.guard.StorePermits;
import dev.penstock.internal.guard.StoreReports;
import dev.penstock.internal.guard.StoreWarmUp;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Answers every decision on time and never with an exception, whatever the store behind it does.
 *
 * <p>The store decides if it answers by the deadline. If it is late, or was given up because too many trips to it were late
 * or failed, the policies' {@link FailureMode}s decide, and the decision reports it ({@link DecidedBy#FALLBACK}):
 *
 * <ul>
 *   <li>{@code OPEN} charges are dropped.
 *   <li>{@code LOCAL} charges are decided together by this process's {@linkplain Limit#share share} of their limits. A share
 *       starts from the store's last report. What it gave out is posted to the store when that is back.
 *   <li>A {@code CLOSED} charge denies.
 * </ul>
 *
 * <p>Each {@linkplain dev.penstock.spi.Sharding shard} of the store is judged by itself: one that is given up leaves the
 * decisions of the others to the store. A request that spans several asks the store only if none of them is given up.
 *
 * <p>Delay in this process is not blamed on the store: such a decision waits longer, and is denied as
 * {@link Denied.Reason#OVERLOADED} in the end. Permits granted in fallback are settled here. Calls about the store's permits
 * are queued until it is back. {@code docs/operating.md} describes all of this for operators.
 *
 * <p>Thread-safe. It has no thread of its own, and passes on a decision that the store makes at once.
 */
public final class Guard extends ForwardingEngine {
    private static final Duration WARM_UP_TARGET = Duration.ofMillis(5);
    private static final Duration WARM_UP_AT_MOST = Duration.ofSeconds(3);

    private final @Nullable Fleet fleet;
    private final Clock clock;
    private final ReplyDeadlines deadlines;
    private final StoreReports words;
    private final LocalShares local;
    private final Outages outages;
    private final JointReturn gathering;
    private final ShardTable shards;
    private final StoreFailures failures = new StoreFailures();
    private final StoreDeadline deadline;
    private final StoreDecisions decisions;
    private final OutageReplay posting;
    private final StorePermits permits;

    private Guard(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.deadlines = new ReplyDeadlines(clock, builder.scheduler);
        this.words = new StoreReports(builder.maxKeys, clock);
        this.local = new LocalShares(builder.maxKeys, words, clock);
        this.outages = new Outages(builder.listeners, clock);
        this.fleet = inner.fleet();
        this.gathering = new JointReturn(fleet);
        this.shards = new ShardTable(
                new Shard.Setup(
                        inner,
                        failures,
                        deadlines,
                        builder.deadline,
                        new FailurePlan.Bound(builder.localFor, builder.then),
                        outages,
                        gathering::micros,
                        clock,
                        builder.scheduler,
                        builder.random),
                new Transitions());
        this.deadline = new StoreDeadline(builder.deadline, builder.maxWait, shards, failures, clock);
        Fallback fallback = new Fallback(
                shards,
                new LimitShares(builder.nodes == null ? () -> fleet == null ? 1 : fleet.nodes() : builder.nodes),
                local,
                clock);
        this.posting =
                new OutageReplay(inner, local, shards, failures, deadlines, clock, builder.scheduler, builder.random);
        this.permits = new StorePermits(
                inner, shards, failures, deadlines, builder.scheduler, builder.random, builder.maxKeys);
        this.decisions = new StoreDecisions(
                inner,
                fallback,
                posting,
                permits,
                new StoreDecisions.Judges(shards, failures, deadline),
                words,
                local,
                deadlines,
                clock,
                builder.maxWaiting);
        failures.observe(inner, builder.deadline, shards);
    }

    /** A guard with default settings around the store, which it closes with itself. */
    @CheckReturnValue
    public static Guard around(Engine store) {
        return builder(store).build();
    }

    /** Starts a guard around the store, which it closes with itself. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(Guard.class, store)).listener(new OutageLog());
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return decisions.decide(Expect.present(ask, "ask"));
    }

    /** Asks the store, unless it is away or too many decisions wait for it: then an answer may be remembered. */
    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return isInFallback() || decisions.isFull() || local.mayRemember(ask)
                ? Reply.now(true)
                : inner.mayRemember(ask);
    }

    /** Settles a permit: one granted in fallback here, one of the store there, queued until the store is back. */
    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return ofPermit(PermitOperation.settle(permitId, actual), local.settle(permitId, actual));
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return ofPermit(PermitOperation.renew(permitId), local.renew(permitId));
    }

    private Reply<Settlement> ofPermit(PermitOperation asked, Settlement here) {
        boolean isForTheStore = here.status() == Settlement.Status.UNKNOWN && inner.mayHaveIssued(asked.permitId());
        return isForTheStore ? permits.tell(asked, deadline) : here;
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return local.mayHaveIssued(permitId) || inner.mayHaveIssued(permitId);
    }

    /** The longest wait of an ask that has no timeout of its own. */
    @Override
    public Duration answersWithin() {
        return deadline.maxWait();
    }

    /** Resets here at once, and in the store, which is asked even while it is left alone: its failure is told. */
    @Override
    public Reply<Completion> reset(Ask ask) {
        local.reset(Expect.present(ask, "ask"));
        return orFailed(() -> inner.reset(ask));
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        local.resetCounters(Expect.present(counters, "counters"));
        return orFailed(() -> inner.resetCounters(counters));
    }

    private static Reply<Completion> orFailed(Supplier<Reply<Completion>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return Reply.later(CompletableFuture.failedStage(e));
        }
    }

    /** How it stands with what the store has yet to be told of its permits. */
    public Stats stats() {
        return new Stats(permits.waiting(), permits.dropped());
    }

    /** Returns the state of the store and its history since the guard was made. Of several shards, the worst counts. */
    public Health health() {
        return new Health(shards.state(), outages.entries(), outages.spent(), failures.late());
    }

    /** The shards that are given up or not yet asked for everything again, as {@link StoreOutageEvent#store} names them. */
    public List<String> shardsInFallback() {
        return shards.away();
    }

    /** The number of decisions that wait for the store at present. */
    public int waiting() {
        return decisions.waiting();
    }

    /** Whether the store, or a shard of it, is left alone or not yet asked for everything again. */
    public boolean isInFallback() {
        return outages.isOn();
    }

    /** Since when that is so, by this machine's clock; null where it is not. */
    public @Nullable Instant fallbackSince() {
        return outages.since();
    }

    /** Warms up until the store answers within 5 ms, for three seconds at most; see {@link #warmUp(Duration, Duration)}. */
    public void warmUp() {
        warmUp(WARM_UP_TARGET, WARM_UP_AT_MOST);
    }

    /**
     * Runs the code of decisions before the first one has to be quick: asks the store without charging anything, and runs the
     * fallback on engines of its own. The log says how it ended.
     *
     * @param target ends when 99 of a hundred answers of the store take no longer than this
     * @param atMost ends after this time all the same
     */
    public void warmUp(Duration target, Duration atMost) {
        Expect.micros(target, Ask.LONGEST_WAIT, "target");
        Expect.micros(atMost, Ask.LONGEST_WAIT, "atMost");
        StoreWarmUp.of(inner, target, atMost);
        FallbackWarmUp.playAll(() -> new Builder(new FallbackWarmUp())
                .deadline(FallbackWarmUp.DEADLINE)
                .nodes(2)
                .maxKeys(1_000)
                .scheduler(FallbackWarmUp.IMPATIENT)
                .build());
    }

    @Override
    public void close() {
        shards.stop();
        posting.stop();
        permits.stop();
        inner.close();
    }

    /** Goes on with what waits for a shard. */
    private final class Transitions implements Shard.Listener {
        @Override
        public void found(Shard shard) {
            permits.begin();
            gathering.found(shard, posting);
        }

        @Override
        public void closed(Shard shard) {
            posting.begin(0);
        }

        @Override
        public void vanished(Shard shard) {
            permits.begin();
            posting.begin(0);
        }
    }

    /**
     * Figures for an operator.
     *
     * @param waitingSettlements permits of the store whose settlement or renewal waits for it to be back
     * @param lostSettlements those that it will never be told of, since the guard was made; such permits expire there
     */
    public record Stats(long waitingSettlements, long lostSettlements) {}

    /**
     * How it stands with the store.
     *
     * @param breaker the state of the shard that is worst off
     * @param fallbacks how often it, or a shard of it, was given up
     * @param inFallback how long at least one shard was, the present time included
     * @param lateAnswers how many trips to it were not answered by the deadline
     */
    public record Health(Breaker breaker, long fallbacks, Duration inFallback, long lateAnswers) {}

    /** The state of the circuit breaker. */
    public enum Breaker {
        /** Every decision asks the store. */
        CLOSED,
        /** Only probes ask the store. */
        OPEN,
        /** The store is back: a growing part of the decisions asks it. */
        RETURNING
    }

    /** Settings of a {@link Guard}. Not thread-safe. */
    public static final class Builder {
        private static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);
        private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(1);
        private static final int DEFAULT_MAX_WAITING = 4_096;
        private static final int LARGEST_MAX_WAITING = 1_000_000;
        private static final Duration DEFAULT_LOCAL_FOR = Duration.ofMinutes(10);
        private static final int MOST_DEFAULT_KEYS = 100_000;

        /** An upper estimate for a report and a share: together they fill at most a quarter of a small heap. */
        private static final int BYTES_PER_KEY = 1_000;

        private static final int LARGEST_MAX_KEYS = 10_000_000;

        private final Engine store;
        private final List<StoreOutageListener> listeners = new ArrayList<>();
        private final RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        private Duration deadline = DEFAULT_DEADLINE;
        private Duration maxWait = DEFAULT_MAX_WAIT;
        private int maxWaiting = DEFAULT_MAX_WAITING;
        private @Nullable IntSupplier nodes;
        private Duration localFor = DEFAULT_LOCAL_FOR;
        private FailureMode then = FailureMode.LOCAL;
        private Clock clock = Clock.system();
        private Scheduler scheduler = Scheduler.system();
        private int maxKeys = defaultMaxKeys(Runtime.getRuntime().maxMemory());

        private Builder(Engine store) {
            this.store = store;
        }

        /**
         * How long the store may take over a decision that has no timeout of its own; 100 ms by default. Only the time from
         * writing the command until the reply arrives counts, not the time that this process needs.
         */
        public Builder deadline(Duration atMost) {
            Expect.micros(atMost, Ask.LONGEST_WAIT, "deadline");
            deadline = atMost;
            return this;
        }

        /**
         * How long a decision without a timeout of its own may wait in all while the store is healthy; one second by
         * default, and never less than the deadline. After that it is denied as {@link Denied.Reason#OVERLOADED}.
         */
        public Builder maxWait(Duration atMost) {
            Expect.micros(atMost, Ask.LONGEST_WAIT, "maxWait");
            maxWait = atMost;
            return this;
        }

        /**
         * The number of decisions that may wait for the store at a time; 4,096 by default. Above it, further ones are denied
         * as {@link Denied.Reason#OVERLOADED}, at once.
         */
        public Builder maxWaiting(int decisions) {
            maxWaiting = (int) Expect.between(decisions, 1, LARGEST_MAX_WAITING, "maxWaiting");
            return this;
        }

        /**
         * The number of nodes that share the limits, this one included. By default the number that the store last reported,
         * or 1. If this is set too low, every node claims too large a share and the limit is exceeded.
         */
        public Builder nodes(int expected) {
            Expect.positive(expected, "nodes");
            nodes = () -> expected;
            return this;
        }

        /** The same where it changes; asked for every decision without the store, so it must answer at once. */
        public Builder nodes(IntSupplier expected) {
            nodes = Expect.present(expected, "nodes");
            return this;
        }

        /**
         * How long local shares may decide before the guard reports {@link StoreOutageEvent.TimeUp} and {@link #then} applies; ten
         * minutes by default. A {@link FailurePlan} with a bound of its own takes precedence.
         */
        public Builder localFor(Duration atMost) {
            Expect.micros(atMost, Algorithm.LONGEST, "localFor");
            localFor = atMost;
            return this;
        }

        /** The mode that follows; by default {@code LOCAL}: shares keep deciding, and the event is only an alarm. */
        public Builder then(FailureMode mode) {
            then = Expect.present(mode, "then");
            return this;
        }

        /** The clock of shares, pauses and deadlines; the store goes by its own. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Schedules deadlines. Tasks of more than a moment have to run on threads of their own. */
        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /** Reports when the store is given up and when it is back. The log says so too. */
        public Builder listener(StoreOutageListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /**
         * The maximum number of accounts for which the guard keeps the store's last report and a share, and of permit calls
         * that wait for the store to be back. By default one for every 4,000 bytes of heap, and 100,000 at most.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        static int defaultMaxKeys(long heapBytes) {
            return (int) Math.min(MOST_DEFAULT_KEYS, heapBytes / 4 / BYTES_PER_KEY);
        }

        @CheckReturnValue
        public Guard build() {
            return new Guard(this);
        }
    }
}
