package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.FailurePlan;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A part of the store that fails independently, with its circuit breaker, its outage, and the probe that checks its
 * health. Thread-safe.
 */
public final class Shard {
    /** The name of the only shard of a store in one place, and of a store whose shards are not known yet. */
    static final String WHOLE = "";

    /** Receives the events of shards in the order in which they happen. */
    public interface Listener {
        /** Called when an outage of the shard begins. */
        default void opened(Shard shard) {}

        /** Called when the shard answers again. */
        void found(Shard shard);

        /** Called when all decisions ask the shard again. */
        void closed(Shard shard);

        /** Called when the shard no longer exists. */
        void vanished(Shard shard);
    }

    /**
     * The parts that all shards of a guard share.
     *
     * @param deadline how long the store may take
     * @param gatherMicros how long to wait for the other nodes before returning to the store
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
    private volatile String lastFailure = "no failure yet";

    Shard(String name, ShardNames names, Setup setup, Listener listener) {
        this.name = name;
        this.outage = new Outage(() -> names.textOf(name), setup.localBound, setup.outages);
        this.breaker = new CircuitBreaker(setup.clock, setup.scheduler, new Transitions(listener), setup.gatherMicros);
        this.probe = new StoreProbe(setup, breaker, () -> names.questionTo(name), () -> listener.vanished(this));
    }

    /** Returns the shard's name in the store. Empty if the store is in one place. */
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

    /** @param why the message of the failure, in one line */
    void failed(String why) {
        lastFailure = why;
        breaker.failed();
    }

    void stop() {
        probe.stop();
    }

    private final class Transitions implements CircuitBreaker.BreakerListener {
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
