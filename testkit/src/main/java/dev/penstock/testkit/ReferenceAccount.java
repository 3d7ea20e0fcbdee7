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
 * One account of the reference: what it spent, and what is held. An immutable value.
 *
 * @param writtenUnder the limit of whoever changed it last, under whose numbers it goes on until it is read
 * @param heldAt when something was last held or renewed, if anything is held
 */
record ReferenceAccount(ReferenceCounter counter, List<Held> holds, Limit writtenUnder, long heldAt) {
    /**
     * One held charge.
     *
     * @param part which charge of its permit
     */
    record Held(int permit, int part, long amount, long expiresAt, Hold.Expiry lapse) {
        boolean is(int otherPermit, int otherPart) {
            return permit == otherPermit && part == otherPart;
        }

        Held until(long micros) {
            return new Held(permit, part, amount, micros, lapse);
        }
    }

    /**
     * An account as it reads now, and as it is kept if nothing is charged.
     *
     * @param kept not rolled to now, unless that repaired what a clock gone back had left
     * @param mustStore whether it was changed for its reader: other numbers adopted, or the clock repaired
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

    /** The holds in the order in which they run out. Where the clock went back, each keeps the time that it had left. */
    private List<Held> inOrder(long now) {
        long back = Math.max(0, heldAt - now);
        return holds.stream()
                .map(hold -> hold.until(hold.expiresAt - back))
                .sorted(Comparator.comparingLong(Held::expiresAt))
                .toList();
    }

    /** How many holds have run out. */
    int ranOut(long now) {
        return (int) inOrder(now).stream().filter(hold -> hold.expiresAt <= now).count();
    }

    /** Whether a number of holds cannot be taken in order without leaving one that runs out at the same time. */
    boolean isTiedAfter(int count, long now) {
        List<Held> ordered = inOrder(now);
        return count > 0 && ordered.get(count - 1).expiresAt == ordered.get(count).expiresAt;
    }

    /**
     * Ends a number of the holds that ran out, the oldest first, under the numbers that the account was written with. That is
     * kept whoever looks, and whatever comes of it.
     */
    ReferenceAccount expire(long now, int count) {
        List<Held> ordered = inOrder(now);
        ReferenceCounter reached = counter;
        for (Held hold : ordered.subList(0, count)) {
            if (hold.lapse == Hold.Expiry.KEEP_CHARGED) {
                reached = reached.force(writtenUnder, hold.amount, hold.expiresAt);
            }
        }
        return new ReferenceAccount(
                reached, ordered.subList(count, ordered.size()), writtenUnder, Math.min(heldAt, now));
    }

    /** Brings the account, whose holds have been expired, to now: first the reader's numbers, then the algorithm's own. */
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
        return new Expected.OfCharge(
                false, counter.remaining(limit, held(), now), counter.resetMicros(limit, held(), now), null);
    }

    Expected.OfCharge exceeded(Limit limit, Demand demand, long now) {
        return new Expected.OfCharge(
                true,
                counter.remaining(limit, held(), now),
                counter.resetMicros(limit, held(), now),
                retry(limit, demand, now));
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
