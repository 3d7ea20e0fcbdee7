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
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.internal.guard.Fallback;
import dev.penstock.internal.guard.FallbackWarmUp;
import dev.penstock.internal.guard.JointReturn;
import dev.penstock.internal.guard.LimitShares;
import dev.penstock.internal.guard.LocalShares;
import dev.penstock.internal.guard.OutageLog;
import dev.penstock.internal.guard.OutageReplay;
import dev.penstock.internal.guard.Outages;
import dev.penstock.internal.guard.PermitOperation;
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
 * <p>If the store is late, the policies' {@link FailureMode}s decide, and the decision reports this ({@link
 * DecidedBy#FALLBACK}). If too many round trips are late or fail, the circuit breaker opens, and the failure modes
 * decide without asking the store:
 *
 * <ul>
 *   <li>{@code OPEN} charges are skipped.
 *   <li>{@code LOCAL} charges are decided together by this process's {@linkplain Limit#share share} of their limits. A
 *       share starts from the store's last report. The permits that it allows are posted to the store when it is back.
 *   <li>A {@code CLOSED} charge denies.
 * </ul>
 *
 * <p>Each {@linkplain dev.penstock.spi.Sharding shard} of the store has its own breaker. While one breaker is open, the
 * other shards still decide. A request that spans several shards asks the store only if none of their breakers is open.
 *
 * <p>The store is not blamed for delays in this process. A decision that is delayed here waits longer, and is finally
 * denied as {@link Denied.Reason#OVERLOADED}. Permits granted in fallback are settled here. Calls about the store's
 * permits are queued until the store is back. {@code docs/operating.md} describes all of this for operators.
 *
 * <p>Thread-safe. The guard has no thread. If the store answers at once, so does the guard.
 */
public final class Guard extends ForwardingEngine {
    private static final Duration WARM_UP_TARGET = Duration.ofMillis(5);
    private static final Duration WARM_UP_AT_MOST = Duration.ofSeconds(3);

    private final @Nullable Fleet fleet;
    private final Clock clock;
    private final ReplyDeadlines deadlines;
    private final StoreReports reports;
    private final LocalShares local;
    private final Outages outages;
    private final JointReturn jointReturn;
    private final ShardTable shards;
    private final StoreFailures failures = new StoreFailures();
    private final StoreDeadline deadline;
    private final StoreDecisions decisions;
    private final OutageReplay replay;
    private final StorePermits permits;

    private Guard(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.deadlines = new ReplyDeadlines(builder.scheduler);
        this.reports = new StoreReports(builder.maxKeys, clock);
        this.local = new LocalShares(builder.maxKeys, Durations.micros(builder.rememberFor), reports, clock);
        this.outages = new Outages(builder.listeners, clock);
        this.fleet = inner.fleet();
        this.jointReturn = new JointReturn(fleet);
        this.shards = new ShardTable(
                new Shard.Setup(
                        inner,
                        failures,
                        deadlines,
                        builder.deadline,
                        new FailurePlan.Bound(builder.localFor, builder.then),
                        outages,
                        jointReturn::micros,
                        clock,
                        builder.scheduler,
                        builder.random),
                new Transitions());
        this.deadline = new StoreDeadline(builder.deadline, builder.maxWait, shards, failures, builder.scheduler);
        Fallback fallback = new Fallback(
                shards,
                new LimitShares(builder.nodes == null ? () -> fleet == null ? 1 : fleet.nodes() : builder.nodes),
                local,
                clock);
        this.replay =
                new OutageReplay(inner, local, shards, failures, deadlines, clock, builder.scheduler, builder.random);
        this.permits = new StorePermits(
                inner, shards, failures, deadlines, builder.scheduler, builder.random, builder.maxKeys);
        this.decisions = new StoreDecisions(
                inner,
                fallback,
                replay,
                permits,
                new StoreDecisions.HealthChecks(shards, failures, deadline),
                reports,
                local,
                deadlines,
                clock,
                builder.maxWaiting);
        failures.observe(inner, builder.deadline, shards);
    }

    /** Returns a guard around the store, with default settings. The guard closes the store. */
    @CheckReturnValue
    public static Guard around(Engine store) {
        return builder(store).build();
    }

    /** Returns a builder of a guard around the store. The guard closes the store. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(Guard.class, store)).listener(new OutageLog());
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return decisions.decide(Expect.present(ask, "ask"));
    }

    /**
     * Asks the store. Returns true without asking if a shard is in fallback, too many decisions wait for the store, or
     * a local share remembers the id.
     */
    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return isInFallback() || decisions.isFull() || local.mayRemember(ask)
                ? Reply.now(true)
                : inner.mayRemember(ask);
    }

    /** Settles fallback permits here, and all others in the store. During an outage, calls to the store are queued. */
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
        return isForTheStore ? permits.carryOut(asked, deadline) : here;
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return local.mayHaveIssued(permitId) || inner.mayHaveIssued(permitId);
    }

    /** Returns the longest wait of an ask without a timeout. */
    @Override
    public Duration answersWithin() {
        return deadline.maxWait();
    }

    /** Resets the local shares, then the accounts in the store, even in an outage. Fails if the store fails. */
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

    /** Returns counts of the calls about the store's permits that are queued or were dropped. */
    public Stats stats() {
        return new Stats(permits.queued(), permits.dropped());
    }

    /** Returns the state of the store, or of its worst shard, and its history since the guard was created. */
    public Health health() {
        return new Health(shards.state(), outages.entries(), outages.spent(), failures.late());
    }

    /** Returns the shards that are not fully back in use, named as in {@link StoreOutageEvent#store}. */
    public List<String> shardsInFallback() {
        return shards.away();
    }

    /** Returns the number of decisions that are waiting for the store. */
    public int waiting() {
        return decisions.waiting();
    }

    /** Returns whether the store, or a shard of it, is not fully back in use. */
    public boolean isInFallback() {
        return outages.isOn();
    }

    /** Returns when the current outage began, by this machine's clock, or null if there is none. */
    public @Nullable Instant fallbackSince() {
        return outages.since();
    }

    /** Warms up until the store answers within 5 ms, for at most 3 s. See {@link #warmUp(Duration, Duration)}. */
    public void warmUp() {
        warmUp(WARM_UP_TARGET, WARM_UP_AT_MOST);
    }

    /**
     * Runs decisions until they are fast, so that the first real one is not slow. Asks the store without charging
     * anything, and runs the fallback on separate engines. The log reports the result.
     *
     * @param target the warm-up ends when 99 of 100 answers of the store take no longer than this
     * @param atMost the part that asks the store ends after this time in any case
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
        replay.stop();
        permits.stop();
        inner.close();
    }

    /** Continues the work that waits for a shard. */
    private final class Transitions implements Shard.Listener {
        @Override
        public void found(Shard shard) {
            permits.begin();
            jointReturn.found(shard, replay);
        }

        @Override
        public void closed(Shard shard) {
            replay.begin(0);
        }

        @Override
        public void vanished(Shard shard) {
            permits.begin();
            replay.begin(0);
        }
    }

    /**
     * Counts of the calls about the store's permits.
     *
     * @param waitingSettlements permits with a settlement or renewal that is queued until the store is back
     * @param lostSettlements permits whose settlement or renewal was dropped, so that they expire in the store
     */
    public record Stats(long waitingSettlements, long lostSettlements) {}

    /**
     * The state of the store and its history.
     *
     * @param breaker the state of the worst shard
     * @param fallbacks the number of outages, counted for each shard
     * @param inFallback how long at least one shard was in fallback, including the current outage
     * @param lateAnswers the number of round trips that were not answered by the deadline
     */
    public record Health(Breaker breaker, long fallbacks, Duration inFallback, long lateAnswers) {}

    /** The state of the circuit breaker. */
    public enum Breaker {
        /** Every decision asks the store. */
        CLOSED,
        /** Only probes ask the store. */
        OPEN,
        /** The store is back, and a growing share of the decisions asks it. */
        RETURNING
    }

    /** Builds a {@link Guard}. Not thread-safe. */
    public static final class Builder {
        private final Engine store;
        private final List<StoreOutageListener> listeners = new ArrayList<>();
        private final RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        private Duration deadline = GuardBounds.DEFAULT_DEADLINE;
        private Duration maxWait = GuardBounds.DEFAULT_MAX_WAIT;
        private int maxWaiting = GuardBounds.DEFAULT_MAX_WAITING;
        private @Nullable IntSupplier nodes;
        private Duration localFor = GuardBounds.DEFAULT_LOCAL_FOR;
        private Duration rememberFor = GuardBounds.DEFAULT_REMEMBER_FOR;
        private FailureMode then = FailureMode.LOCAL;
        private Clock clock = Clock.system();
        private Scheduler scheduler = Scheduler.system();
        private int maxKeys = GuardBounds.defaultMaxKeys(Runtime.getRuntime().maxMemory());

        private Builder(Engine store) {
            this.store = store;
        }

        /**
         * Sets how long the store may take for a decision without a timeout; 100 ms by default. Only the time from
         * writing the command until the reply arrives counts, not the time that this process needs.
         */
        public Builder deadline(Duration atMost) {
            deadline = GuardBounds.deadline(atMost);
            return this;
        }

        /**
         * Sets how long a decision without a timeout may wait in total while the store is healthy; one second by
         * default, and never less than the deadline. After that it is denied as {@link Denied.Reason#OVERLOADED}.
         */
        public Builder maxWait(Duration atMost) {
            maxWait = GuardBounds.maxWait(atMost);
            return this;
        }

        /**
         * Sets how many decisions may wait for the store at a time; 4,096 by default. Above that, further decisions are
         * denied at once as {@link Denied.Reason#OVERLOADED}.
         */
        public Builder maxWaiting(int decisions) {
            maxWaiting = GuardBounds.maxWaiting(decisions);
            return this;
        }

        /**
         * Sets the number of nodes that share the limits, including this one. The default is the number that the store
         * last reported, or 1. If this is set too low, each node's share is too large and the limit is exceeded.
         */
        public Builder nodes(int expected) {
            int fixed = GuardBounds.nodes(expected);
            nodes = () -> fixed;
            return this;
        }

        /**
         * Sets a source for the number of nodes that share the limits, if that number changes. It is called for every
         * decision in fallback, so it must return at once.
         */
        public Builder nodes(IntSupplier expected) {
            nodes = Expect.present(expected, "nodes");
            return this;
        }

        /**
         * Sets how long local shares may decide before the guard reports {@link StoreOutageEvent.TimeUp} and the mode
         * of {@link #then} applies; ten minutes by default. A {@link FailurePlan} with a bound takes precedence.
         */
        public Builder localFor(Duration atMost) {
            localFor = GuardBounds.localFor(atMost);
            return this;
        }

        /** Sets the mode after {@link #localFor}. With {@code LOCAL}, the default, shares keep deciding. */
        public Builder then(FailureMode mode) {
            then = Expect.present(mode, "then");
            return this;
        }

        /** Sets how long the guard remembers its own answers to permits and to requests with an id; a minute by default. */
        public Builder rememberFor(Duration time) {
            rememberFor = GuardBounds.rememberFor(time);
            return this;
        }

        /** Sets the clock of local shares and of the breaker. The store uses its own clock. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Sets the scheduler of deadlines, which also measures waits. A {@link dev.penstock.Limiter} keeps callers'
         * code off the scheduler's threads only if this is the default.
         */
        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /** Adds a listener for the events of outages. The guard also logs each event. */
        public Builder listener(StoreOutageListener listener) {
            listeners.add(Expect.present(listener, "listener"));
            return this;
        }

        /**
         * Sets the maximum number of accounts for which the guard keeps the store's last report and a share. It is also
         * the maximum number of permits whose calls are queued until the store is back. The default is one for every
         * 4,000 bytes of heap, and at most 100,000.
         */
        public Builder maxKeys(int most) {
            maxKeys = GuardBounds.maxKeys(most);
            return this;
        }

        /** Builds the guard. */
        @CheckReturnValue
        public Guard build() {
            return new Guard(this);
        }
    }
}
