package dev.penstock.testkit;

import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.testkit.ReferenceAccount.Held;
import dev.penstock.testkit.ReferenceCounter.Demand;
import dev.penstock.testkit.ReferenceEngine.AccountId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The reference's decision of one ask at one time.
 *
 * <p>First every charge is read and evaluated, enforced ones before shadow ones. Charges on the same account see the
 * result of earlier ones. Then, if the ask is allowed and not a peek, the charges that fit are made in the same order.
 */
final class ReferenceDecision {
    /** An evaluated charge: the account as it was read, and the demand. */
    private record Evaluated(ReferenceAccount.Read read, Demand demand, boolean exceeded) {
        ReferenceAccount account() {
            return read.account();
        }
    }

    private final Ask ask;
    private final long now;
    private final Function<Charge, ReferenceAccount> accounts;
    private final int handle;
    private int expiriesLeft;

    private final List<Integer> order = new ArrayList<>();
    private final Map<Integer, Evaluated> evaluated = new HashMap<>();
    private final Map<Integer, Expected.OfCharge> reports = new HashMap<>();
    private final Map<AccountId, ReferenceAccount> reached = new HashMap<>();
    private final Set<AccountId> mustStore = new HashSet<>();
    private final Set<AccountId> holdsChanged = new HashSet<>();
    private @Nullable ReferencePermit permit;

    /**
     * Prepares a decision.
     *
     * @param handle the number of the permit, if one is issued
     * @param mostExpired how many expired holds it ends
     */
    ReferenceDecision(Ask ask, long now, Function<Charge, ReferenceAccount> accounts, int handle, int mostExpired) {
        this.ask = ask;
        this.expiriesLeft = mostExpired;
        this.now = now;
        this.accounts = accounts;
        this.handle = handle;
    }

    Expected decide() {
        putInOrder(Enforcement.ENFORCED);
        putInOrder(Enforcement.SHADOW);
        evaluate();
        boolean allowed = order.stream().noneMatch(i -> ask.charge(i).isEnforced() && evaluated(i).exceeded);
        long delay = allowed ? delayMicros() : 0;
        if (allowed && ask.purpose() == Ask.Purpose.DECIDE) {
            make();
        }
        return new Expected(
                allowed,
                delay,
                IntStream.range(0, ask.size()).mapToObj(this::report).toList(),
                permit == null ? null : new Expected.Permit(permit.handle(), permit.expiresAt()));
    }

    /** Returns the accounts that this decision changed: under the limit that came last, unless only holds expired. */
    Map<AccountId, ReferenceAccount> stored() {
        Map<AccountId, ReferenceAccount> changed = new HashMap<>();
        for (AccountId id : holdsChanged) {
            changed.put(id, account(id));
        }
        for (int i : order) {
            AccountId id = AccountId.of(ask.charge(i));
            if (mustStore.contains(id)) {
                changed.put(id, account(id).under(ask.charge(i).limit()));
            }
        }
        return changed;
    }

    /** Returns the permit that was issued; null if there is none. */
    @Nullable
    ReferencePermit permit() {
        return permit;
    }

    private void putInOrder(Enforcement enforcement) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).settings().enforcement() == enforcement) {
                order.add(i);
            }
        }
    }

    private void evaluate() {
        Map<AccountId, Long> earlier = new HashMap<>();
        for (int i : order) {
            Charge charge = ask.charge(i);
            Limit limit = charge.limit();
            ReferenceAccount.Read read = advance(charge);
            ReferenceAccount account = read.account();
            long ahead = earlier.getOrDefault(AccountId.of(charge), 0L);
            Demand demand = new Demand(account.held(), ahead, charge.cost(), ask.maxDelayMicros());
            boolean exceeded = account.exceeds(limit, demand, now);
            evaluated.put(i, new Evaluated(read, demand, exceeded));
            reports.put(i, exceeded ? account.exceeded(limit, demand, now) : account.fitted(limit, now));
            if (charge.isEnforced() || !exceeded) {
                earlier.put(AccountId.of(charge), demand.checkCost());
            }
        }
    }

    /** Reads the charge's account, starting from where an earlier charge left it. */
    private ReferenceAccount.Read advance(Charge charge) {
        AccountId id = AccountId.of(charge);
        ReferenceAccount before = reached.containsKey(id) ? account(id) : expire(id, accounts.apply(charge));
        ReferenceAccount.Read read = before.advance(charge.limit(), now);
        reached.put(id, read.kept());
        if (read.mustStore()) {
            mustStore.add(id);
        }
        return read;
    }

    private ReferenceAccount expire(AccountId id, ReferenceAccount account) {
        int count = Math.min(expiriesLeft, account.ranOut(now));
        expiriesLeft -= count;
        ReferenceAccount expired = account.expire(now, count);
        if (!expired.holds().equals(account.holds())) {
            holdsChanged.add(id);
        }
        return expired;
    }

    private long delayMicros() {
        long longest = 0;
        for (int i : order) {
            Evaluated charge = evaluated(i);
            if (!charge.exceeded && ask.charge(i).isEnforced()) {
                long delay =
                        charge.account().counter().delayMicros(ask.charge(i).limit(), charge.demand.ahead(), now);
                longest = Math.max(longest, delay);
            }
        }
        return longest;
    }

    private void make() {
        permit = newPermit();
        reached.clear();
        for (int i : order) {
            Charge charge = ask.charge(i);
            AccountId id = AccountId.of(charge);
            boolean isFirst = !reached.containsKey(id);
            ReferenceAccount.Read read = isFirst ? evaluated(i).read : advance(charge);
            reached.put(id, read.kept());
            if (!evaluated(i).exceeded) {
                ReferenceAccount after = make(i, read.account());
                reports.put(i, after.fitted(charge.limit(), now));
                if (charge.cost() > 0) {
                    reached.put(id, after);
                    mustStore.add(id);
                }
            }
        }
    }

    private boolean isHeld(Charge charge) {
        Algorithm algorithm = charge.limit().algorithm();
        return algorithm instanceof Concurrency || (ask.hold() != null && !(algorithm instanceof Lockout));
    }

    private ReferenceAccount make(int i, ReferenceAccount account) {
        Charge charge = ask.charge(i);
        boolean leaky = charge.limit().algorithm() instanceof LeakyBucket;
        ReferenceAccount after = account;
        if (charge.cost() > 0 && (leaky || !isHeld(charge))) {
            after = after.spend(charge.limit(), charge.cost(), now);
        }
        if (isHeld(charge) && permit != null) {
            // A shaped request is spent at once. Its hold has no weight and only shows whether it still exists.
            Hold wish = ask.hold();
            Hold.Expiry onExpiry = wish == null ? Hold.Expiry.KEEP_CHARGED : wish.onExpiry();
            long weight = leaky ? 0 : charge.cost();
            if (charge.cost() > 0) {
                after = after.hold(new Held(handle, i, weight, permit.expiresAt(), onExpiry), now);
            }
            Fraction mark = leaky ? ((ReferenceBucket) after.counter()).mark() : null;
            permit.add(new ReferencePermit.Part(i, charge, mark));
        }
        return after;
    }

    /**
     * Returns the permit for the charges, which lives as long as the shortest of its times; null if nothing is held.
     */
    private @Nullable ReferencePermit newPermit() {
        List<Long> settings = new ArrayList<>();
        Hold wish = ask.hold();
        if (wish != null) {
            settings.add(wish.ttl().toNanos() / 1_000);
        }
        for (int i : order) {
            Limit limit = ask.charge(i).limit();
            if (!evaluated(i).exceeded && limit.algorithm() instanceof Concurrency) {
                settings.add(ReferenceSlots.ttlMicros(limit));
            }
        }
        return settings.isEmpty() ? null : new ReferencePermit(handle, now, Collections.min(settings));
    }

    private ReferenceAccount account(AccountId id) {
        return Objects.requireNonNull(reached.get(id));
    }

    private Evaluated evaluated(int i) {
        return Objects.requireNonNull(evaluated.get(i));
    }

    private Expected.OfCharge report(int i) {
        return Objects.requireNonNull(reports.get(i));
    }
}
