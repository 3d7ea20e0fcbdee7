package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.FailurePlan;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A part of the store that fails independently: its circuit breaker, the probe that finds out how it is doing, and its outage.
 * Thread-safe.
 */
public final class Shard {
    /** The name of the shard of a store that is in one place, and of one whose shards are not known yet. */
    static final String WHOLE = "";

    /** Learns what becomes of a shard, in the order in which it happens. */
    public interface Listener {
        /** The shard is given up. */
        default void opened(Shard shard) {}

        /** The shard answers again. */
        void found(Shard shard);

        /** All decisions ask the shard again. */
        void closed(Shard shard);

        /** There is no such shard any more. */
        void vanished(Shard shard);
    }

    /**
     * The parts that all shards of a guard share.
     *
     * @param deadline how long the store may take
     * @param gatherMicros how long to wait for the other nodes on the way back
     */
    public record Setup(
            Engine store,
            StoreFailures failures,
            ReplyDeadlines deadlines,
            Duration deadline,
            FailurePlan.Bound localBound,
            Outages outages,
            LongSupplier gatherMicros,
            Clock clock,
            Scheduler scheduler,
            RandomGenerator random) {}

    private final String name;
    private final CircuitBreaker breaker;
    private final Outage outage;
    private final StoreProbe probe;
    private volatile String lastFailure = "nothing failed yet";

    Shard(String name, ShardNames names, Setup setup, Listener listener) {
        this.name = name;
        this.outage = new Outage(() -> names.textOf(name), setup.localBound, setup.outages);
        this.breaker = new CircuitBreaker(setup.clock, new Transitions(listener), setup.gatherMicros);
        this.probe = new StoreProbe(setup, breaker, () -> names.questionTo(name), () -> listener.vanished(this));
    }

    /** Its name in the store; empty if the store is in one place. */
    public String name() {
        return name;
    }

    public CircuitBreaker breaker() {
        return breaker;
    }

    public Outage outage() {
        return outage;
    }

    void answered() {
        breaker.answered();
    }

    /** @param why what the failure said, in one line */
    void failed(String why) {
        lastFailure = why;
        breaker.failed();
    }

    void stop() {
        probe.stop();
    }

    private final class Transitions implements CircuitBreaker.Watcher {
        private final Listener listener;

        Transitions(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void doubted() {
            probe.begin();
        }

        @Override
        public void opened(long nowMicros) {
            listener.opened(Shard.this);
            outage.opened(nowMicros, lastFailure);
        }

        @Override
        public void found() {
            listener.found(Shard.this);
        }

        @Override
        public void closed(long nowMicros) {
            outage.closed(nowMicros);
            listener.closed(Shard.this);
        }
    }
}
