package dev.penstock.testkit;

import dev.penstock.CalendarWindow;
import dev.penstock.FixedWindow;
import dev.penstock.Hold;
import dev.penstock.LeakyBucket;
import dev.penstock.Limit;
import dev.penstock.Lockout;
import dev.penstock.SlidingLog;
import dev.penstock.SlidingWindow;
import dev.penstock.TokenBucket;
import dev.penstock.testkit.ReferenceCounter.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One account of the reference: what it spent, and what is held. An immutable value.
 *
 * @param writtenUnder the limit of whoever changed it last, under whose numbers it goes on until it is read
 */
record ReferenceAccount(ReferenceCounter counter, List<Held> holds, Limit writtenUnder) {
    /**
     * One held charge.
     *
     * @param part which charge of its permit
     * @param ttlMicros the whole term of the permit, which no clock gone back can make longer
     */
    record Held(int permit, int part, long amount, long expiresAt, long ttlMicros, Hold.Expiry lapse) {
        boolean is(int otherPermit, int otherPart) {
            return permit == otherPermit && part == otherPart;
        }

        Held until(long micros) {
            return new Held(permit, part, amount, micros, ttlMicros, lapse);
        }
    }

    /**
     * An account as it reads now, and as it is kept if nothing is charged.
     *
     * @param kept not rolled to now, unless that repaired what a clock gone back had left
     * @param mustStore whether it was changed for its reader: other numbers adopted, or the clock repaired
     * @param holdsChanged whether holds ran out or were shortened, which is kept under the numbers of old
     */
    record Read(ReferenceAccount account, ReferenceAccount kept, boolean mustStore, boolean holdsChanged) {}

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
        return new ReferenceAccount(counter, List.of(), limit);
    }

    /**
     * Ends the holds that ran out, under the numbers that the account was written with; no other is left longer than its
     * own term from now. That is kept whoever looks, and whatever comes of it.
     */
    ReferenceAccount expire(long now) {
        List<Held> shortened = holds.stream()
                .map(hold -> hold.until(Math.min(hold.expiresAt, now + hold.ttlMicros)))
                .toList();
        List<Held> ranOut = shortened.stream()
                .filter(hold -> hold.expiresAt <= now)
                .sorted(Comparator.comparingLong(Held::expiresAt))
                .toList();
        ReferenceCounter reached = counter;
        for (Held hold : ranOut) {
            if (hold.lapse == Hold.Expiry.KEEP_CHARGED) {
                reached = reached.force(writtenUnder, hold.amount, hold.expiresAt);
            }
        }
        List<Held> alive =
                shortened.stream().filter(hold -> hold.expiresAt > now).toList();
        return new ReferenceAccount(reached, alive, writtenUnder);
    }

    /** Brings the account to now: first the holds that ran out, then the reader's numbers, then the algorithm's own. */
    Read advance(Limit limit, long now) {
        ReferenceAccount expired = expire(now);
        ReferenceCounter.Read adopted = expired.counter.adopt(limit, now);
        ReferenceCounter.Read rolled = adopted.counter().roll(limit, now);
        return new Read(
                new ReferenceAccount(rolled.counter(), expired.holds, limit),
                expired.with(rolled.mustStore() ? rolled.counter() : adopted.counter()),
                adopted.mustStore() || rolled.mustStore(),
                !expired.holds.equals(holds));
    }

    ReferenceAccount under(Limit limit) {
        return new ReferenceAccount(counter, holds, limit);
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
        return new ReferenceAccount(other, holds, writtenUnder);
    }

    ReferenceAccount hold(Held hold) {
        List<Held> more = new ArrayList<>(holds);
        more.add(hold);
        return with(more);
    }

    private ReferenceAccount with(List<Held> others) {
        return new ReferenceAccount(counter, others, writtenUnder);
    }

    boolean holds(int permit, int part) {
        return holds.stream().anyMatch(hold -> hold.is(permit, part));
    }

    ReferenceAccount release(int permit, int part) {
        return with(holds.stream().filter(hold -> !hold.is(permit, part)).toList());
    }

    ReferenceAccount prolong(int permit, int part, long expiresAt) {
        UnaryOperator<Held> prolonged = hold -> hold.is(permit, part) ? hold.until(expiresAt) : hold;
        return with(holds.stream().map(prolonged).toList());
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
            return new Expected.Wait(Expected.Kind.ESTIMATE, first - now);
        }
        Expected.Kind kind = demand.held() == 0 ? Expected.Kind.NOT_BEFORE : Expected.Kind.ESTIMATE;
        return new Expected.Wait(kind, counter.waitMicros(limit, demand, now));
    }
}
