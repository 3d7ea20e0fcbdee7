package dev.penstock.engine;

import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The engine whose state lives in this process: the embedded default.
 *
 * <p>Linearizable: any number of charges of one request, on any keys and limits mixed, take effect together at one moment
 * or not at all. Thread-safe, needs no thread of its own, and no lock is held while anything of the caller's runs but the
 * {@link Clock}. Bounded: it keeps at most {@link Builder#maxKeys} accounts; idle ones go first.
 *
 * <p>It answers every call at once.
 */
public final class MemoryEngine implements Engine {
    /** What a memory engine does with a new key when it keeps as many as it may and all of them are live. */
    public enum WhenFull {
        /** The request is denied. */
        DENY,
        /** The charge is let through uncounted. */
        ALLOW,
        /** The account whose state would lapse first is forgotten. */
        EVICT_OLDEST
    }

    private static final String NAME = "memory";

    private final MemoryStore store;

    private MemoryEngine(Builder builder) {
        store = new MemoryStore(
                NAME, builder.clock, builder.maxKeys, builder.whenFull, builder.rememberFor.toNanos() / 1_000);
    }

    /** An engine with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static MemoryEngine create() {
        return builder().build();
    }

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

    /** How full the engine is, and what that has led to so far. */
    public Stats stats() {
        return store.stats();
    }

    @Override
    public void close() {}

    /**
     * Counts since the engine was made.
     *
     * @param keys accounts kept now
     * @param maxKeys accounts kept at most
     * @param evictedIdle accounts forgotten when their state no longer mattered
     * @param evictedLive accounts forgotten while it still did ({@link WhenFull#EVICT_OLDEST})
     * @param deniedFull requests denied for want of room ({@link WhenFull#DENY})
     * @param uncounted charges let through for want of room ({@link WhenFull#ALLOW})
     */
    public record Stats(int keys, int maxKeys, long evictedIdle, long evictedLive, long deniedFull, long uncounted) {
        /** Whether the cap was ever hit with all keys live. */
        public boolean hasBeenFull() {
            return evictedLive + deniedFull + uncounted > 0;
        }
    }

    /** Settings of a {@link MemoryEngine}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 1_000_000;
        private static final int LARGEST_MAX_KEYS = 100_000_000;

        private Clock clock = Clock.system();
        private int maxKeys = DEFAULT_MAX_KEYS;
        private WhenFull whenFull = WhenFull.EVICT_OLDEST;
        private Duration rememberFor = Duration.ofMinutes(1);

        private Builder() {}

        /** The clock by which everything is counted; {@link Clock#system} by default. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /**
         * Maximum number of accounts (a key under a limit) and of live permits; a million by default. If this is 16 or more, one
         * caller gets a quarter of the permits: a permit is refused as {@link Denied.Reason#STORE_FULL} if each account that
         * it charges already has that many. The account with the fewest permits stands for the caller, so a key that all
         * callers share counts against nobody, provided that a narrower key is charged too. Permits that charge one key
         * only, such as slots of one global key, get a quarter in total. Shadow charges count only if the request has no enforced charge.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /** What happens to a new key when all kept ones are live; by default the one that would lapse first is evicted. */
        public Builder whenFull(WhenFull choice) {
            whenFull = Expect.present(choice, "whenFull");
            return this;
        }

        /**
         * How long the answer to a settled permit, or to a request with an id, is remembered; a minute by default. Of
         * each kind at most {@link #maxKeys} are remembered: beyond that the oldest answers are forgotten early.
         */
        public Builder rememberFor(Duration time) {
            Expect.micros(time, Algorithm.LONGEST, "rememberFor");
            rememberFor = time;
            return this;
        }

        @CheckReturnValue
        public MemoryEngine build() {
            return new MemoryEngine(this);
        }
    }
}
