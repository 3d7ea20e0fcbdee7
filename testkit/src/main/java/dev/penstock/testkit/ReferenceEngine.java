package dev.penstock.testkit;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Costs;
import dev.penstock.Key;
import dev.penstock.Settlement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** Decides or peeks, as the ask says. */
    public Expected decide(Ask ask, long now) {
        ReferenceDecision decision = new ReferenceDecision(ask, now, this::account, permits.size());
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
        boolean there = permit.isEmptyAndAlive(now);
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

    /** The part's account under its own limit; null where the part is no longer there, and then only holds that ran out end. */
    private @Nullable ReferenceAccount accountHolding(ReferencePermit permit, ReferencePermit.Part part, long now) {
        Charge charge = part.charge();
        accounts.computeIfPresent(AccountId.of(charge), (id, account) -> account.expire(now));
        ReferenceAccount account = account(charge);
        return account.holds(permit.handle(), part.number())
                ? account.advance(charge.limit(), now).account()
                : null;
    }

    /** Settles one part, and answers whether it was still there. */
    private boolean settlePart(ReferencePermit permit, ReferencePermit.Part part, long amount, long now) {
        Charge charge = part.charge();
        ReferenceAccount account = accountHolding(permit, part, now);
        if (account == null) {
            return false;
        }
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
        long expiresAt = now + permit.ttlMicros();
        boolean there = permit.isEmptyAndAlive(now);
        for (ReferencePermit.Part part : permit.parts()) {
            ReferenceAccount account = accountHolding(permit, part, now);
            if (account != null) {
                there = true;
                accounts.put(AccountId.of(part.charge()), account.prolong(permit.handle(), part.number(), expiresAt));
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
        ReferenceAccount read = account(charge).advance(charge.limit(), now).account();
        return account(charge).counter().hasBeenUsed() && read.counter().resetMicros(charge.limit(), 0, now) == 0;
    }
}
