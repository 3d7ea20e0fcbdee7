package dev.penstock.testkit;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Concurrency;
import dev.penstock.Costs;
import dev.penstock.Effect;
import dev.penstock.Hold;
import dev.penstock.Key;
import dev.penstock.LeakyBucket;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.testkit.ReferenceAccount.Held;
import dev.penstock.testkit.ReferenceCounter.Demand;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
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

    /** A charge as it was evaluated: the account as it was read, and what was wanted of it. */
    private record Evaluated(ReferenceAccount account, Demand demand, boolean exceeded) {}

    /** The accounts of one ask on their way through its charges, and those that have to be stored in the end. */
    private static final class Way {
        final Map<AccountId, ReferenceAccount> reached = new HashMap<>();
        final Set<AccountId> mustStore = new HashSet<>();
    }

    private final Map<AccountId, ReferenceAccount> accounts = new HashMap<>();
    private final List<ReferencePermit> permits = new ArrayList<>();

    /** Decides or peeks, as the ask says. */
    public Expected decide(Ask ask, long now) {
        List<Integer> order = evaluationOrder(ask);
        Way read = new Way();
        Map<Integer, Evaluated> evaluated = evaluate(ask, order, read, now);
        Map<Integer, Expected.OfCharge> reports = new HashMap<>();
        evaluated.forEach((i, charge) -> reports.put(i, report(ask, i, charge, now)));
        boolean allowed = order.stream().noneMatch(i -> isEnforced(ask.charge(i)) && get(evaluated, i).exceeded);
        List<Integer> fitted = order.stream()
                .filter(i -> allowed && !get(evaluated, i).exceeded)
                .toList();
        long delay = 0;
        for (int i : fitted) {
            Evaluated charge = get(evaluated, i);
            long itsDelay = charge.account.counter().delayMicros(ask.charge(i).limit(), charge.demand.ahead(), now);
            delay = Math.max(delay, itsDelay);
        }
        Expected.Permit given = null;
        if (allowed && ask.purpose() == Ask.Purpose.DECIDE) {
            ReferencePermit permit = permit(ask, fitted, now);
            make(ask, order, evaluated, permit, read.mustStore, reports, now);
            if (permit != null) {
                permits.add(permit);
                given = new Expected.Permit(permit.handle(), permit.expiresAt());
            }
        } else {
            store(read);
        }
        return new Expected(allowed, delay, inOrderOfTheAsk(ask, reports), given);
    }

    private void store(Way way) {
        for (AccountId id : way.mustStore) {
            accounts.put(id, Objects.requireNonNull(way.reached.get(id)));
        }
    }

    private static Expected.OfCharge report(Ask ask, int i, Evaluated charge, long now) {
        Limit limit = ask.charge(i).limit();
        return charge.exceeded ? charge.account.exceeded(limit, charge.demand, now) : charge.account.fitted(limit, now);
    }

    private static List<Expected.OfCharge> inOrderOfTheAsk(Ask ask, Map<Integer, Expected.OfCharge> reports) {
        return IntStream.range(0, ask.size()).mapToObj(i -> get(reports, i)).toList();
    }

    /** The permit that holds what is made; null where nothing is held. */
    private @Nullable ReferencePermit permit(Ask ask, List<Integer> made, long now) {
        Hold wish = ask.hold();
        List<Long> terms = new ArrayList<>();
        if (wish != null) {
            terms.add(wish.ttl().toNanos() / 1_000);
        }
        for (int i : made) {
            Limit limit = ask.charge(i).limit();
            if (limit.algorithm() instanceof Concurrency) {
                terms.add(ReferenceSlots.ttlMicros(limit));
            }
        }
        return terms.isEmpty() ? null : new ReferencePermit(permits.size(), now, Collections.min(terms));
    }

    /** Enforced charges in their order, then the observed ones. */
    private static List<Integer> evaluationOrder(Ask ask) {
        List<Integer> order = new ArrayList<>();
        for (Effect effect : List.of(Effect.DENY, Effect.OBSERVE)) {
            for (int i = 0; i < ask.size(); i++) {
                if (ask.charge(i).terms().effect() == effect) {
                    order.add(i);
                }
            }
        }
        return order;
    }

    /** Reads and evaluates one charge after the other; a later one on the same account reads on from there. */
    private Map<Integer, Evaluated> evaluate(Ask ask, List<Integer> order, Way way, long now) {
        Map<Integer, Evaluated> evaluated = new HashMap<>();
        Map<AccountId, Long> earlier = new HashMap<>();
        for (int i : order) {
            Charge charge = ask.charge(i);
            ReferenceAccount account = advance(charge, way, now);
            long ahead = earlier.getOrDefault(AccountId.of(charge), 0L);
            Demand demand = new Demand(account.held(), ahead, charge.cost(), ask.maxDelayMicros());
            boolean exceeded = account.exceeds(charge.limit(), demand, now);
            evaluated.put(i, new Evaluated(account, demand, exceeded));
            if (isEnforced(charge) || !exceeded) {
                earlier.put(AccountId.of(charge), demand.checkCost());
            }
        }
        return evaluated;
    }

    /** Goes through the charges once more and makes those that fitted; the others take the account along. */
    private void make(
            Ask ask,
            List<Integer> order,
            Map<Integer, Evaluated> evaluated,
            @Nullable ReferencePermit permit,
            Set<AccountId> mustStore,
            Map<Integer, Expected.OfCharge> reports,
            long now) {
        Way way = new Way();
        way.mustStore.addAll(mustStore);
        for (int i : order) {
            Charge charge = ask.charge(i);
            AccountId id = AccountId.of(charge);
            boolean isFirst = !way.reached.containsKey(id);
            ReferenceAccount account = isFirst ? get(evaluated, i).account : advance(charge, way, now);
            if (!get(evaluated, i).exceeded) {
                ReferenceAccount after = make(ask, i, account, permit, now);
                if (after != account) {
                    way.mustStore.add(id);
                }
                reports.put(i, after.fitted(charge.limit(), now));
                account = after;
            }
            way.reached.put(id, account);
        }
        store(way);
    }

    /** Makes one charge, and answers the account after it: the same one where it leaves no trace. */
    private static ReferenceAccount make(
            Ask ask, int i, ReferenceAccount account, @Nullable ReferencePermit permit, long now) {
        Charge charge = ask.charge(i);
        Hold wish = ask.hold();
        boolean leaky = charge.limit().algorithm() instanceof LeakyBucket;
        boolean held = charge.limit().algorithm() instanceof Concurrency || (wish != null && !leaky);
        ReferenceAccount after = account;
        if (held && permit != null) {
            Hold.Expiry lapse = wish == null ? Hold.Expiry.KEEP_CHARGED : wish.onExpiry();
            after = account.hold(
                    new Held(permit.handle(), i, charge.cost(), permit.expiresAt(), permit.ttlMicros(), lapse));
            permit.add(new ReferencePermit.Part(i, charge, null));
        } else if (charge.cost() > 0) {
            after = account.spend(charge.limit(), charge.cost(), now);
        }
        if (leaky && wish != null && permit != null && after.counter() instanceof ReferenceBucket bucket) {
            permit.add(new ReferencePermit.Part(i, charge, bucket.mark()));
        }
        return after;
    }

    private ReferenceAccount advance(Charge charge, Way way, long now) {
        AccountId id = AccountId.of(charge);
        ReferenceAccount before = way.reached.getOrDefault(id, account(charge));
        ReferenceAccount.Read read = before.advance(charge.limit(), now);
        way.reached.put(id, read.account());
        if (read.mustStore()) {
            way.mustStore.add(id);
        }
        return read.account();
    }

    /** The account as it is now; kept where a read alone has to be. */
    private ReferenceAccount read(Charge charge, long now) {
        ReferenceAccount.Read read = account(charge).advance(charge.limit(), now);
        if (read.mustStore()) {
            accounts.put(AccountId.of(charge), read.account());
        }
        return read.account();
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

    /** Settles one part, and answers whether it was still there. */
    private boolean settlePart(ReferencePermit permit, ReferencePermit.Part part, long amount, long now) {
        Charge charge = part.charge();
        ReferenceAccount account = read(charge, now);
        if (!isThere(account, permit, part, now)) {
            return false;
        }
        ReferenceAccount settled;
        if (part.mark() == null) {
            settled = account.release(permit.handle(), part.number()).force(charge.limit(), amount, now);
        } else if (amount > charge.cost()) {
            settled = account.force(charge.limit(), amount - charge.cost(), now);
        } else {
            ReferenceBucket bucket = (ReferenceBucket) account.counter();
            settled = account.with(bucket.undo(part.mark(), charge.cost() - amount));
        }
        accounts.put(AccountId.of(charge), settled);
        return true;
    }

    /** What is shaped is not held: its charge is there as long as its permit lives. */
    private static boolean isThere(
            ReferenceAccount account, ReferencePermit permit, ReferencePermit.Part part, long now) {
        return part.mark() == null ? account.holds(permit.handle(), part.number()) : now < permit.expiresAt();
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
            ReferenceAccount account = read(part.charge(), now);
            if (isThere(account, permit, part, now)) {
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

    /** Makes every account fresh that the ask names. */
    public void reset(Ask ask) {
        for (Charge charge : ask.charges()) {
            accounts.remove(AccountId.of(charge));
        }
    }

    /** Whether the charge's account reads like one that was never used. */
    boolean isIdle(Charge charge, long now) {
        ReferenceAccount account = account(charge).advance(charge.limit(), now).account();
        return account.holds().isEmpty() && account.counter().resetMicros(charge.limit(), 0, now) == 0;
    }

    private static boolean isEnforced(Charge charge) {
        return charge.terms().effect() == Effect.DENY;
    }

    private static <T> T get(Map<Integer, T> map, int i) {
        T value = map.get(i);
        if (value == null) {
            throw new IllegalStateException("nothing known of charge " + i);
        }
        return value;
    }
}
