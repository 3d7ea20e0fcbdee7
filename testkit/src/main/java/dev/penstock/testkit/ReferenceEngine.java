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
 * A slow but obviously correct engine, with which others are compared.
 *
 * <p>It follows the rules of a decision literally, with exact rational numbers, and shares no arithmetic with any
 * engine. Callers pass the time. It never evicts an account or a permit and answers in its own terms, so it is not an
 * {@link dev.penstock.spi.Engine}. Not thread-safe.
 */
public final class ReferenceEngine {
    /** Identifies an account: a key under one shape of limits. */
    public record AccountId(Key key, String shape) {
        static AccountId of(Charge charge) {
            return new AccountId(charge.key(), charge.limit().rule().shape());
        }
    }

    private final Map<AccountId, ReferenceAccount> accounts = new HashMap<>();
    private final List<ReferencePermit> permits = new ArrayList<>();
    private final int mostExpired;

    /** Creates an engine that handles any number of expired holds per call. */
    public ReferenceEngine() {
        this(Integer.MAX_VALUE);
    }

    /**
     * Creates a reference.
     *
     * @param mostExpired how many expired holds one call ends, oldest first; the others stay held
     */
    ReferenceEngine(int mostExpired) {
        this.mostExpired = mostExpired;
    }

    /** Decides or peeks, depending on the ask. */
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

    /** Ends a permit at an actual cost; null charges everything as reserved. */
    public Settlement settle(int handle, @Nullable Costs actual, long now) {
        ReferencePermit permit = permits.get(handle);
        Settlement earlier = permit.answer();
        if (earlier != null) {
            return earlier;
        }
        expireHolds(charges(permit), now);
        boolean there = permit.parts().isEmpty() && permit.isAlive(now);
        Settlement settled = Settlement.settled(Costs.NONE);
        for (ReferencePermit.Part part : permit.parts()) {
            Charge charge = part.charge();
            String unit = charge.limit().unit();
            long amount = actual == null ? charge.cost() : actual.amount(unit, charge.cost());
            if (isThere(permit, part, now)) {
                there = true;
                long charged = settlePart(permit, part, amount, now);
                settled = unit.equals(Costs.SLOTS) ? settled : settled.and(unit, amount, charged);
            }
        }
        return permit.answered(there ? settled : Settlement.expired());
    }

    private static List<Charge> charges(ReferencePermit permit) {
        return permit.parts().stream().map(ReferencePermit.Part::charge).toList();
    }

    /** Returns the charges of a permit, in order. */
    List<Charge> charges(int handle) {
        return charges(permits.get(handle));
    }

    /** Ends expired holds in the accounts of these charges, one account after the other. */
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
     * Returns the first of these charges, in order, for whose account it is undetermined which holds a call would end,
     * because more of them expire at the same time than the call may still end. Returns null if there is none.
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

    /**
     * Returns true if the part can be settled or renewed. A part without cost holds nothing and lives as long as its
     * permit.
     */
    private boolean isThere(ReferencePermit permit, ReferencePermit.Part part, long now) {
        return part.charge().cost() == 0
                ? permit.isAlive(now)
                : account(part.charge()).holds(permit.handle(), part.number());
    }

    /** Settles one part that still exists. Returns the amount that was charged. */
    private long settlePart(ReferencePermit permit, ReferencePermit.Part part, long amount, long now) {
        Charge charge = part.charge();
        if (charge.cost() == 0 && amount == 0) {
            return 0;
        }
        ReferenceAccount account = account(charge).advance(charge.limit(), now).account();
        ReferenceAccount released = account.release(permit.handle(), part.number());
        ReferenceAccount settled;
        long charged;
        if (part.mark() == null) {
            settled = released.force(charge.limit(), amount, now);
            charged = released.counter().forced(charge.limit(), amount, now);
        } else if (amount > charge.cost()) {
            long more = amount - charge.cost();
            settled = released.force(charge.limit(), more, now);
            charged = charge.cost() + released.counter().forced(charge.limit(), more, now);
        } else {
            ReferenceBucket bucket = (ReferenceBucket) released.counter();
            settled = released.with(bucket.undo(part.mark(), charge.cost() - amount));
            charged = bucket.mark().equals(part.mark()) ? amount : charge.cost();
        }
        accounts.put(AccountId.of(charge), settled);
        return charged;
    }

    /** Restarts the full lifetime of a permit. */
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

    /** Returns true if a permit is still valid: neither ended nor expired. */
    boolean isLive(int handle, long now) {
        ReferencePermit permit = permits.get(handle);
        return permit.answer() == null && now < permit.expiresAt();
    }

    /** Resets every account that the ask names. */
    public void reset(Ask ask) {
        for (Charge charge : ask.charges()) {
            accounts.remove(AccountId.of(charge));
        }
    }

    /** Returns true if the usage of the charge's account no longer counts. */
    boolean isForgettable(Charge charge, long now) {
        ReferenceAccount account = account(charge);
        ReferenceAccount expired = account.expire(now, account.ranOut(now));
        ReferenceAccount read = expired.advance(charge.limit(), now).account();
        return account.counter().hasBeenUsed() && read.counter().resetMicros(charge.limit(), 0, now) == 0;
    }
}
