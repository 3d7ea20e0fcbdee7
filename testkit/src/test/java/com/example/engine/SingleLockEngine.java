package com.example.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.HeldCharge;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.Key;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.ShadowCharges;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An engine as a third party would write it, with one lock, one map of accounts, and only the public packages of
 * Penstock. It proves that these are sufficient. It never evicts an account.
 */
final class SingleLockEngine implements Engine {
    private static final String NAME = "single-lock";
    private static final long REMEMBER_MICROS = 60_000_000;

    /** One state per counter, attribute values and shape of the limit. */
    private record AccountName(Key key, String shape) {
        static AccountName of(Charge charge) {
            return new AccountName(charge.key(), charge.limit().rule().shape());
        }
    }

    /** One charge of a permit, with its hold. */
    private record Item(Charge charge, HeldCharge held) {}

    /** A permit, until it is removed. */
    private static final class HeldPermit {
        final List<Item> items;
        final long ttlMicros;
        long expiryMicros;

        @Nullable
        Settlement ending;

        HeldPermit(List<Item> items, long ttlMicros, long nowMicros) {
            this.items = items;
            this.ttlMicros = ttlMicros;
            this.expiryMicros = nowMicros + ttlMicros;
        }

        boolean isLive(long nowMicros) {
            return ending == null && nowMicros < expiryMicros;
        }
    }

    /**
     * The answer that was given under an id.
     *
     * @param answer null if its permit has ended and the repeated ask was denied
     */
    private record Remembered(
            Ask asked, @Nullable Allowed answer, @Nullable String fingerprint, long untilMicros) {}

    private final Clock clock;
    private final Map<AccountName, State> accounts = new HashMap<>();
    private final Map<String, HeldPermit> permits = new HashMap<>();
    private final Map<String, Remembered> answers = new HashMap<>();

    SingleLockEngine(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public synchronized Decision decide(Ask ask) {
        long now = clock.micros();
        StaticDecision ruled = ask.staticDecision();
        if (ruled != null) {
            return ruled.decision(ask, now);
        }
        String id = ask.id();
        return id == null ? new Evaluation(ask, now).decide() : decideOnce(ask, id, now);
    }

    private Decision decideOnce(Ask ask, String id, long now) {
        answers.values().removeIf(each -> each.untilMicros <= now);
        Remembered known = answers.get(id);
        if (known == null) {
            return decideAndRemember(ask, id, null, now);
        }
        String owner = known.fingerprint;
        String shown = ask.fingerprint();
        Allowed answer = known.answer != null && isInForce(known.answer, now) ? known.answer : null;
        if (answer == null && owner == null) {
            return decideAndRemember(ask, id, null, now);
        }
        if (shown != null && owner != null && !shown.equals(owner)) {
            return Denied.idTaken(ask, now);
        }
        if (answer == null && shown != null) {
            return decideAndRemember(ask, id, owner, now);
        }
        if (answer != null && known.asked.isSameAs(ask)) {
            return answer;
        }
        return answer != null && shown != null && owner != null ? answer.again(ask) : new Evaluation(ask, now).decide();
    }

    private Decision decideAndRemember(Ask ask, String id, @Nullable String owner, long now) {
        Decision decision = new Evaluation(ask, now).decide();
        if (decision instanceof Allowed allowed) {
            answers.put(id, new Remembered(ask, allowed, ask.fingerprint(), now + REMEMBER_MICROS));
        } else if (owner == null) {
            answers.remove(id);
        } else {
            answers.put(id, new Remembered(ask, null, owner, now + REMEMBER_MICROS));
        }
        return decision;
    }

    private boolean isInForce(Allowed answer, long now) {
        PermitHandle handle = answer.permitHandle();
        HeldPermit permit = handle == null ? null : permits.get(handle.id());
        return handle == null || (permit != null && permit.isLive(now));
    }

    @Override
    public synchronized Reply<Boolean> mayRemember(Ask ask) {
        return Reply.now(ask.id() != null && answers.containsKey(ask.id()));
    }

    @Override
    public synchronized Settlement settle(String permitId, @Nullable Costs actual) {
        HeldPermit permit = permits.get(permitId);
        if (permit == null || permit.ending != null) {
            return permit == null ? Settlement.unknown() : permit.ending;
        }
        long now = clock.micros();
        boolean isAnyThere = permit.items.isEmpty() && permit.isLive(now);
        Settlement settled = Settlement.settled(Costs.NONE);
        for (Item item : permit.items) {
            if (!isThere(item, permit, now)) {
                continue;
            }
            isAnyThere = true;
            String unit = item.charge.limit().unit();
            long cost = actual == null ? item.held.amount() : actual.amount(unit, item.held.amount());
            long charged = settle(item, cost, now);
            settled = unit.equals(Costs.SLOTS) ? settled : settled.and(unit, cost, charged);
        }
        permit.ending = isAnyThere ? settled : Settlement.expired();
        return permit.ending;
    }

    @Override
    public synchronized Settlement renew(String permitId) {
        HeldPermit permit = permits.get(permitId);
        if (permit == null || permit.ending != null) {
            return permit == null ? Settlement.unknown() : permit.ending;
        }
        long now = clock.micros();
        boolean isAnyThere = permit.items.isEmpty() && permit.isLive(now);
        for (Item item : permit.items) {
            if (isThere(item, permit, now)) {
                isAnyThere = true;
                if (!item.held.isFree()) {
                    State account = account(item.charge);
                    item.charge.limit().rule().advance(account, now);
                    Rule.renew(account, item.held, now);
                }
            }
        }
        if (!isAnyThere) {
            permit.ending = Settlement.expired();
            return permit.ending;
        }
        permit.expiryMicros = now + permit.ttlMicros;
        return Settlement.renewed(instant(permit.expiryMicros));
    }

    /**
     * Returns true if the hold still exists: neither expired nor reset. A charge of cost 0 exists while its permit
     * lives.
     */
    private boolean isThere(Item item, HeldPermit permit, long now) {
        State account = accounts.get(AccountName.of(item.charge));
        if (account != null) {
            Rule.expireHolds(account, now);
        }
        return item.held.isFree() ? permit.isLive(now) : account != null && Rule.isHeld(account, item.held);
    }

    private long settle(Item item, long cost, long now) {
        if (item.held.isFree() && cost == 0) {
            return 0;
        }
        Rule rule = item.charge.limit().rule();
        State account = account(item.charge);
        rule.advance(account, now);
        return item.held.isFree() ? rule.settleUnheld(account, cost, now) : rule.settle(account, item.held, cost, now);
    }

    private State account(Charge charge) {
        return accounts.computeIfAbsent(
                AccountName.of(charge), name -> new State(charge.limit().rule()));
    }

    @Override
    public synchronized Completion reset(Ask ask) {
        ask.charges().forEach(charge -> accounts.remove(AccountName.of(charge)));
        return Completion.DONE;
    }

    @Override
    public synchronized Completion resetCounters(Set<String> counters) {
        accounts.keySet().removeIf(name -> counters.contains(name.key.counter()));
        return Completion.DONE;
    }

    @Override
    public void close() {}

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The decision of one ask, at one time. */
    private final class Evaluation {
        private final Ask ask;
        private final long now;

        /** The indexes of the charges, with the enforced ones first. */
        private final List<Integer> order;

        private final Snapshot[] copies;
        private final Snapshot[] reports;
        private final boolean[] mustStore;
        private long exceeded;
        private boolean denied;
        private long delayMicros;

        Evaluation(Ask ask, long now) {
            this.ask = ask;
            this.now = now;
            this.copies = new Snapshot[ask.size()];
            this.reports = new Snapshot[ask.size()];
            this.mustStore = new boolean[ask.size()];
            this.order = IntStream.range(0, ask.size())
                    .boxed()
                    .sorted(Comparator.comparing(i -> !ask.charge(i).isEnforced()))
                    .toList();
        }

        Decision decide() {
            evaluate();
            for (int i : order) {
                reports[i] = isExceeded(i) ? copies[i].frozenRefusal(rule(i)) : copies[i].frozenCopy(rule(i));
            }
            PermitHandle handle = null;
            if (denied || ask.purpose() == Ask.Purpose.PEEK) {
                store();
            } else {
                handle = charge();
            }
            Evidence evidence = new Evidence(ask, reports, exceeded, now, DecidedBy.STORE);
            return denied ? new Denied(evidence) : new Allowed(evidence, delayMicros, handle);
        }

        /** Determines on copies which charges fit. A charge sees earlier charges on the same account. */
        private void evaluate() {
            Map<AccountName, Integer> last = new HashMap<>();
            Map<AccountName, Long> ahead = new HashMap<>();
            for (int i : order) {
                Charge charge = ask.charge(i);
                AccountName name = AccountName.of(charge);
                Integer before = last.put(name, i);
                long aheadOfIt = ahead.getOrDefault(name, 0L);
                copies[i] = new Snapshot(before == null ? seen(charge) : copies[before], charge.cost(), aheadOfIt);
                mustStore[i] = rule(i).advance(copies[i], now) || (before != null && mustStore[before]);
                long cost = charge.cost() + aheadOfIt;
                boolean fits = cost <= rule(i).capacity() && rule(i).fits(copies[i], cost, now);
                long delay = fits ? rule(i).delayMicros(copies[i], aheadOfIt, now) : 0;
                fits &= delay <= ask.maxDelayMicros();
                ahead.put(name, ShadowCharges.aheadOfNext(charge, aheadOfIt, fits));
                denied |= ShadowCharges.denies(charge, fits);
                if (fits) {
                    delayMicros = Math.max(delayMicros, ShadowCharges.delayMicros(charge, delay));
                } else {
                    exceeded |= 1L << i;
                }
            }
        }

        private State seen(Charge charge) {
            State account = accounts.get(AccountName.of(charge));
            if (account == null) {
                return new State(charge.limit().rule());
            }
            Rule.expireHolds(account, now);
            return account;
        }

        /** Makes every charge that fits. Returns the permit, if anything is held. */
        private @Nullable PermitHandle charge() {
            Duration ttl = ttl();
            long ttlMicros = ttl.toNanos() / 1_000;
            List<Item> items = new ArrayList<>();
            Map<AccountName, Integer> last = new HashMap<>();
            for (int i : order) {
                Charge charge = ask.charge(i);
                Integer before = last.put(AccountName.of(charge), i);
                if (before != null) {
                    copies[i].copyFrom(copies[before]);
                    rule(i).advance(copies[i], now);
                    mustStore[i] |= mustStore[before];
                }
                if (isExceeded(i)) {
                    continue;
                }
                if (isHeld(i)) {
                    HeldCharge held = new HeldCharge(charge.cost(), ttlMicros, onExpiry(), now);
                    if (!held.isFree()) {
                        rule(i).hold(copies[i], held, now);
                    }
                    items.add(new Item(charge, held));
                } else {
                    rule(i).charge(copies[i], charge.cost(), now);
                }
                mustStore[i] |= charge.cost() > 0;
                reports[i] = copies[i].frozenCopy(rule(i));
            }
            store();
            if (ask.hold() == null && items.isEmpty()) {
                return null;
            }
            permits.values().removeIf(permit -> permit.expiryMicros + REMEMBER_MICROS <= now);
            String id = NAME + "-" + UUID.randomUUID();
            permits.put(id, new HeldPermit(items, ttlMicros, now));
            return new PermitHandle(id, instant(now + ttlMicros));
        }

        private void store() {
            for (int i : order) {
                if (mustStore[i]) {
                    account(ask.charge(i)).copyFrom(copies[i]);
                }
            }
        }

        private boolean isHeld(int i) {
            return isSlots(i) || (ask.hold() != null && rule(i).canBeHeld());
        }

        private boolean isSlots(int i) {
            return ask.charge(i).limit().algorithm() instanceof Concurrency;
        }

        /** Returns the shortest of the lifetimes of the ask's hold and its slots. */
        private Duration ttl() {
            Hold hold = ask.hold();
            Duration shortest = hold == null ? Concurrency.LONGEST : hold.ttl();
            for (int i : order) {
                if (!isExceeded(i) && ask.charge(i).limit().algorithm() instanceof Concurrency slots) {
                    shortest = slots.ttl().compareTo(shortest) < 0 ? slots.ttl() : shortest;
                }
            }
            return shortest;
        }

        private Hold.Expiry onExpiry() {
            Hold hold = ask.hold();
            return hold == null ? Hold.Expiry.KEEP_CHARGED : hold.onExpiry();
        }

        private Rule rule(int i) {
            return ask.charge(i).limit().rule();
        }

        private boolean isExceeded(int i) {
            return (exceeded >>> i & 1) != 0;
        }
    }
}
