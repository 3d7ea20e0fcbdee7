package dev.penstock.testkit;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The slow and obviously right way to decide: what engines are compared with.
 *
 * <p>It follows the rules of a decision word by word, on exact rational numbers, and shares no arithmetic with any
 * engine. It is told the time, never forgets an account or a permit, and answers in its own terms, so it is not an
 * {@link dev.penstock.spi.Engine}. Not thread-safe.
 */
public final class ReferenceEngine {
    /** What one account counts: a key, under one shape of limits. */
    public record AccountId(Key key, String shape) {
        static AccountId of(Charge charge) {
            return new AccountId(charge.key(), charge.limit().rule().shape());
        }
    }

    private final Map<AccountId, ReferenceAccount> accounts = new HashMap<>();
    private final List<ReferencePermit> permits = new ArrayList<>();
    private final int mostExpired;

    public ReferenceEngine() {
        this(Integer.MAX_VALUE);
    }

    /** @param mostExpired how many holds that ran out one call ends, the oldest first; the others stay held */
    ReferenceEngine(int mostExpired) {
        this.mostExpired = mostExpired;
    }

    /** Decides or peeks, as the ask says. */
    public Expected decide(Ask ask, long now) {
        ReferenceDecision decision = new ReferenceDecision(ask, now, this::account, permits.size(), mostExpired);
        Expected expected = decision.decide();
        accounts.putAll(decision.stored());
        if (decision.permit() != null) {
            permits.add(decision.permit());
        }
        return expected;
    }

    private ReferenceAccount account(Charge charge) {
        ReferenceAccount known = accounts.get(AccountId.of(charge));
        return known == null ? ReferenceAccount.fresh(charge.limit()) : known;
    }

    /** Ends a permit at an actual cost; null charges all as reserved. */
    public Settlement settle(int handle, @Nullable Costs actual, long now) {
        ReferencePermit permit = permits.get(handle);
        Settlement earlier = permit.answer();
        if (earlier != null) {
            return earlier;
        }
        expireHolds(charges(permit), now);
        boolean there = permit.parts().isEmpty() && permit.isAlive(now);
        Costs charged = Costs.NONE;
        for (ReferencePermit.Part part : permit.parts()) {
            Charge charge = part.charge();
            String unit = charge.limit().unit();
            long amount = actual == null ? charge.cost() : actual.amount(unit, charge.cost());
            if (settlePart(permit, part, amount, now)) {
                there = true;
                if (!unit.equals(Costs.SLOTS)) {
                    charged = charged.and(unit, Math.max(amount, charged.amount(unit, 0)));
                }
            }
        }
        return permit.answered(there ? Settlement.settled(charged) : Settlement.expired());
    }

    private static List<Charge> charges(ReferencePermit permit) {
        return permit.parts().stream().map(ReferencePermit.Part::charge).toList();
    }

    /** The charges of a permit, in their order. */
    List<Charge> charges(int handle) {
        return charges(permits.get(handle));
    }

    /** Ends holds that ran out in the accounts of these charges, one account after the other. */
    private void expireHolds(List<Charge> charges, long now) {
        int left = mostExpired;
        for (AccountId id : charges.stream().map(AccountId::of).distinct().toList()) {
            ReferenceAccount account = accounts.get(id);
            if (account != null) {
                int count = Math.min(left, account.ranOut(now));
                left -= count;
                accounts.put(id, account.expire(now, count));
            }
        }
    }

    /**
     * The first of these charges, read in this order, of whose account it cannot be said which holds a call would end: there
     * are more that run out at the same time than are left. Null where there is none.
     */
    @Nullable
    Charge firstTied(List<Charge> charges, long now) {
        int left = mostExpired;
        Set<AccountId> read = new HashSet<>();
        for (Charge charge : charges) {
            ReferenceAccount account = accounts.get(AccountId.of(charge));
            if (account != null && read.add(AccountId.of(charge))) {
                int ranOut = account.ranOut(now);
                int count = Math.min(left, ranOut);
                if (count < ranOut && account.isTiedAfter(count, now)) {
                    return charge;
                }
                left -= count;
            }
        }
        return null;
    }

    /** Whether the part can be settled or renewed; one that costs nothing holds nothing, and lives as long as its permit. */
    private boolean isThere(ReferencePermit permit, ReferencePermit.Part part, long now) {
        return part.charge().cost() == 0
                ? permit.isAlive(now)
                : account(part.charge()).holds(permit.handle(), part.number());
    }

    /** Settles one part, and answers whether it was still there. */
    private boolean settlePart(ReferencePermit permit, ReferencePermit.Part part, long amount, long now) {
        Charge charge = part.charge();
        if (!isThere(permit, part, now)) {
            return false;
        }
        if (charge.cost() == 0 && amount == 0) {
            return true;
        }
        ReferenceAccount account = account(charge).advance(charge.limit(), now).account();
        ReferenceAccount released = account.release(permit.handle(), part.number());
        ReferenceAccount settled;
        if (part.mark() == null) {
            settled = released.force(charge.limit(), amount, now);
        } else if (amount > charge.cost()) {
            settled = released.force(charge.limit(), amount - charge.cost(), now);
        } else {
            ReferenceBucket bucket = (ReferenceBucket) released.counter();
            settled = released.with(bucket.undo(part.mark(), charge.cost() - amount));
        }
        accounts.put(AccountId.of(charge), settled);
        return true;
    }

    /** Gives a permit its whole term again. */
    public Settlement renew(int handle, long now) {
        ReferencePermit permit = permits.get(handle);
        Settlement earlier = permit.answer();
        if (earlier != null) {
            return earlier;
        }
        expireHolds(charges(permit), now);
        long expiresAt = now + permit.ttlMicros();
        boolean there = permit.parts().isEmpty() && permit.isAlive(now);
        for (ReferencePermit.Part part : permit.parts()) {
            Charge charge = part.charge();
            boolean isThere = isThere(permit, part, now);
            there |= isThere;
            if (isThere && charge.cost() > 0) {
                ReferenceAccount account =
                        account(charge).advance(charge.limit(), now).account();
                accounts.put(AccountId.of(charge), account.prolong(permit.handle(), part.number(), expiresAt, now));
            }
        }
        if (!there) {
            return permit.answered(Settlement.expired());
        }
        permit.expiresAt(expiresAt);
        return Settlement.renewed(Instant.EPOCH.plus(expiresAt, ChronoUnit.MICROS));
    }

    /** Whether a permit stands for the answer that granted it: neither ended nor, by its own count, expired. */
    boolean isLive(int handle, long now) {
        ReferencePermit permit = permits.get(handle);
        return permit.answer() == null && now < permit.expiresAt();
    }

    /** Makes every account fresh that the ask names. */
    public void reset(Ask ask) {
        for (Charge charge : ask.charges()) {
            accounts.remove(AccountId.of(charge));
        }
    }

    /** Whether what the charge's account once spent counts no more. */
    boolean isForgettable(Charge charge, long now) {
        ReferenceAccount account = account(charge);
        ReferenceAccount expired = account.expire(now, account.ranOut(now));
        ReferenceAccount read = expired.advance(charge.limit(), now).account();
        return account.counter().hasBeenUsed() && read.counter().resetMicros(charge.limit(), 0, now) == 0;
    }
}
