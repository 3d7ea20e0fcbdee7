package dev.penstock.engine;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.memory.MemoryBounds;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine whose state is in this process: the embedded default.
 *
 * <p>Linearizable: the charges of one request, of any number and on any keys and limits, take effect together at one
 * moment or not at all. Thread-safe. It needs no thread, and while it holds a lock it runs no code of the caller except
 * the {@link Clock}. Bounded: it keeps at most {@link Builder#maxKeys} accounts, and evicts idle ones first.
 *
 * <p>Every call is answered at once.
 */
public final class MemoryEngine implements Engine {
    /**
     * The reaction of a memory engine to a new key when it has reached its maximum number of accounts and all of them
     * are live.
     */
    public enum WhenFull {
        /** The request is denied. */
        DENY,
        /** The charge is allowed and not counted. */
        ALLOW,
        /** The account whose state would become idle first is evicted. */
        EVICT_OLDEST
    }

    private static final String NAME = "memory";

    private final MemoryStore store;

    private MemoryEngine(Builder builder) {
        store = new MemoryStore(
                NAME, builder.clock, builder.maxKeys, builder.whenFull, builder.rememberFor.toNanos() / 1_000);
    }

    /** Returns an engine with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static MemoryEngine create() {
        return builder().build();
    }

    /** Returns a builder of an engine. */
    @CheckReturnValue
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Decision decide(Ask ask) {
        return store.decide(Expect.present(ask, "ask"));
    }

    @Override
    public Reply<Boolean> mayRemember(Ask ask) {
        return Reply.now(store.mayRemember(Expect.present(ask, "ask")));
    }

    @Override
    public Settlement settle(String permitId, @Nullable Costs actual) {
        return store.settle(Expect.text(permitId, "permitId"), actual);
    }

    @Override
    public Settlement renew(String permitId) {
        return store.renew(Expect.text(permitId, "permitId"));
    }

    @Override
    public boolean mayHaveIssued(String permitId) {
        return store.mayHaveIssued(permitId);
    }

    @Override
    public Completion resetCounters(Set<String> counters) {
        store.resetCounters(Expect.present(counters, "counters"));
        return Completion.DONE;
    }

    @Override
    public Completion reset(Ask ask) {
        store.reset(Expect.present(ask, "ask"));
        return Completion.DONE;
    }

    /** Returns counts of the accounts. */
    public Stats stats() {
        return store.stats();
    }

    @Override
    public void close() {}

    /**
     * Counts of accounts since the engine was created.
     *
     * @param keys the number of accounts kept now
     * @param maxKeys the maximum number of accounts
     * @param evictedIdle the number of accounts evicted when their state no longer mattered
     * @param evictedLive the number of accounts evicted while their state still mattered ({@link
     *     WhenFull#EVICT_OLDEST})
     * @param deniedFull the number of requests denied because there was no room ({@link WhenFull#DENY})
     * @param uncounted the number of charges not counted because there was no room ({@link WhenFull#ALLOW})
     */
    public record Stats(int keys, int maxKeys, long evictedIdle, long evictedLive, long deniedFull, long uncounted) {
        /** Returns whether the maximum was ever reached with all accounts live. */
        public boolean hasBeenFull() {
            return evictedLive + deniedFull + uncounted > 0;
        }
    }

    /** Builds a {@link MemoryEngine}. Not thread-safe. */
    public static final class Builder {
        private static final int LARGEST_MAX_KEYS = 100_000_000;

        private Clock clock = Clock.system();
        private int maxKeys = MemoryBounds.defaultMaxKeys(Runtime.getRuntime().maxMemory());
        private WhenFull whenFull = WhenFull.EVICT_OLDEST;
        private Duration rememberFor = Duration.ofMinutes(1);

        private Builder() {}

        /** Sets the clock of the engine; {@link Clock#system} by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Sets the maximum number of accounts (a key under a limit) and of live permits. The default is a million, or
         * fewer if these would take more than a quarter of the heap. The number of permits is also limited to those
         * that fit in a quarter of the heap.
         *
         * <p>If this is 16 or more, one caller can hold at most a quarter of the permits: a permit is denied as
         * {@link Denied.Reason#STORE_FULL} if each account that it charges already has that many. So permits on a key
         * that all callers share do not count against a caller whose own key is charged too. If a request charges only
         * a shared key, such as one global key, all callers together can hold at most a quarter of the maximum on it.
         * Shadow charges count only if the request has no enforced charge.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /**
         * Sets what happens to a new key when all kept accounts are live. By default the one that would become idle
         * first is evicted.
         */
        public Builder whenFull(WhenFull choice) {
            whenFull = Expect.present(choice, "whenFull");
            return this;
        }

        /**
         * Sets how long the answer to a settled permit, or to a request with an id, is remembered; a minute by default.
         * At most {@link #maxKeys} answers of each kind are remembered, and fewer if they would not fit in an eighth of
         * the heap. Above that, the oldest ones are forgotten early.
         */
        public Builder rememberFor(Duration time) {
            Expect.micros(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        /** Builds the engine. */
        @CheckReturnValue
        public MemoryEngine build() {
            return new MemoryEngine(this);
        }
    }
}
