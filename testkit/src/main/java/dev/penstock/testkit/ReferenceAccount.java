package dev.penstock.testkit;

import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.testkit.ReferenceCounter.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One account of the reference: its usage and its holds. An immutable value.
 *
 * @param writtenUnder the limit that changed it last; the account uses its numbers until the next read
 * @param heldAt when something was last held or renewed, if there are holds
 */
record ReferenceAccount(ReferenceCounter counter, List<Held> holds, Limit writtenUnder, long heldAt) {
    /**
     * One held charge.
     *
     * @param part the index of the charge in its permit
     */
    record Held(int permit, int part, long amount, long expiresAt, Hold.Expiry onExpiry) {
        boolean is(int otherPermit, int otherPart) {
            return permit == otherPermit && part == otherPart;
        }

        Held until(long micros) {
            return new Held(permit, part, amount, micros, onExpiry);
        }
    }

    /**
     * An account as it was read, and as it is kept if nothing is charged.
     *
     * @param kept not advanced to now, unless that repaired the effect of a clock that was set back
     * @param mustStore true if reading changed it: other numbers were adopted, or the clock was repaired
     */
    record Read(ReferenceAccount account, ReferenceAccount kept, boolean mustStore) {}

    ReferenceAccount {
        holds = List.copyOf(holds);
    }

    static ReferenceAccount fresh(Limit limit) {
        ReferenceCounter counter;
        if (limit.algorithm() instanceof TokenBucket || limit.algorithm() instanceof LeakyBucket) {
            counter = ReferenceBucket.fresh();
        } else if (limit.algorithm() instanceof FixedWindow || limit.algorithm() instanceof CalendarWindow) {
            counter = ReferenceFixedWindow.fresh();
        } else if (limit.algorithm() instanceof SlidingWindow) {
            counter = ReferenceSlidingWindow.fresh();
        } else if (limit.algorithm() instanceof SlidingLog) {
            counter = ReferenceSlidingLog.fresh();
        } else if (limit.algorithm() instanceof Lockout) {
            counter = ReferenceLockout.fresh();
        } else {
            counter = new ReferenceSlots();
        }
        return new ReferenceAccount(counter, List.of(), limit, 0);
    }

    /** Returns the holds in the order of their expiry. If the clock was set back, each keeps its remaining time. */
    private List<Held> inOrder(long now) {
        long back = Math.max(0, heldAt - now);
        return holds.stream()
                .map(hold -> hold.until(hold.expiresAt - back))
                .sorted(Comparator.comparingLong(Held::expiresAt))
                .toList();
    }

    /** Returns how many holds have expired. */
    int ranOut(long now) {
        return (int) inOrder(now).stream().filter(hold -> hold.expiresAt <= now).count();
    }

    /**
     * Returns true if this number of holds cannot be taken in order without leaving one that expires at the same time.
     */
    boolean isTiedAfter(int count, long now) {
        List<Held> ordered = inOrder(now);
        return count > 0 && ordered.get(count - 1).expiresAt == ordered.get(count).expiresAt;
    }

    /**
     * Ends this number of expired holds, oldest first, under the numbers that the account was written with. The result
     * is always kept.
     */
    ReferenceAccount expire(long now, int count) {
        List<Held> ordered = inOrder(now);
        ReferenceCounter reached = counter;
        for (Held hold : ordered.subList(0, count)) {
            if (hold.onExpiry == Hold.Expiry.KEEP_CHARGED) {
                reached = reached.force(writtenUnder, hold.amount, hold.expiresAt);
            }
        }
        return new ReferenceAccount(
                reached, ordered.subList(count, ordered.size()), writtenUnder, Math.min(heldAt, now));
    }

    /**
     * Advances the account, after its holds were expired: first adopts the reader's numbers, then applies the
     * algorithm.
     */
    Read advance(Limit limit, long now) {
        ReferenceCounter.Read adopted = counter.adopt(limit, now);
        ReferenceCounter.Read rolled = adopted.counter().roll(limit, now);
        return new Read(
                with(rolled.counter()).under(limit),
                with(rolled.mustStore() ? rolled.counter() : adopted.counter()),
                adopted.mustStore() || rolled.mustStore());
    }

    ReferenceAccount under(Limit limit) {
        return new ReferenceAccount(counter, holds, limit, heldAt);
    }

    boolean exceeds(Limit limit, Demand demand, long now) {
        return demand.checkCost() > limit.capacity() || !counter.fits(limit, demand, now);
    }

    ReferenceAccount spend(Limit limit, long cost, long now) {
        return with(counter.charge(limit, cost, now));
    }

    ReferenceAccount force(Limit limit, long amount, long now) {
        return with(counter.force(limit, amount, now));
    }

    ReferenceAccount with(ReferenceCounter other) {
        return new ReferenceAccount(other, holds, writtenUnder, heldAt);
    }

    ReferenceAccount hold(Held hold, long now) {
        List<Held> more = new ArrayList<>(holds);
        more.add(hold);
        return with(more, now);
    }

    private ReferenceAccount with(List<Held> others, long lastHeldAt) {
        return new ReferenceAccount(counter, others, writtenUnder, lastHeldAt);
    }

    boolean holds(int permit, int part) {
        return holds.stream().anyMatch(hold -> hold.is(permit, part));
    }

    ReferenceAccount release(int permit, int part) {
        return with(holds.stream().filter(hold -> !hold.is(permit, part)).toList(), heldAt);
    }

    ReferenceAccount prolong(int permit, int part, long expiresAt, long now) {
        UnaryOperator<Held> prolonged = hold -> hold.is(permit, part) ? hold.until(expiresAt) : hold;
        return with(holds.stream().map(prolonged).toList(), now);
    }

    long held() {
        return holds.stream().mapToLong(Held::amount).sum();
    }

    Expected.OfCharge fitted(Limit limit, long now) {
        return new Expected.OfCharge(false, counter.remaining(limit, held(), now), resetMicros(limit, now), null);
    }

    Expected.OfCharge exceeded(Limit limit, Demand demand, long now) {
        return new Expected.OfCharge(
                true, counter.remaining(limit, held(), now), resetMicros(limit, now), retry(limit, demand, now));
    }

    /** Returns how long until everything spent and held is back, if every hold is charged when it expires. */
    private long resetMicros(Limit limit, long now) {
        if (held() == 0) {
            return counter.resetMicros(limit, 0, now);
        }
        long last =
                Math.max(now, holds.stream().mapToLong(Held::expiresAt).max().orElseThrow());
        return last - now + counter.resetFromMicros(limit, held(), last);
    }

    private Expected.Wait retry(Limit limit, Demand demand, long now) {
        if (demand.checkCost() > limit.capacity()) {
            return Expected.Wait.NEVER;
        }
        if (demand.total() > limit.capacity()) {
            long first = holds.stream().mapToLong(Held::expiresAt).min().orElseThrow();
            return new Expected.Wait(Expected.Kind.ESTIMATE, Math.max(0, first - now));
        }
        Expected.Kind kind = demand.held() == 0 ? Expected.Kind.NOT_BEFORE : Expected.Kind.ESTIMATE;
        return new Expected.Wait(kind, counter.waitMicros(limit, demand, now));
    }
}
