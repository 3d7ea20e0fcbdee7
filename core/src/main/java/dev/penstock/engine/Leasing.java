package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Policy.Consistency;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.BoundedMap;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import dev.penstock.internal.lease.AccountLeases;
import dev.penstock.internal.lease.Lease;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Key;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An engine around a store that draws permits of hot keys ahead and spends them in this process, without a trip.
 *
 * <p>Only for charges whose policy allows it ({@link Consistency#LEASED}), and only while a key is asked for often: others
 * stay the store's. A lease is a hold in the store, like that of a reservation: what is drawn counts there as held until it
 * is settled at what was really spent, or expires and is charged. So <em>the limit is never exceeded</em>, whatever becomes
 * of this process; what a crash costs is at most the lease, until it expires, and then once more as spent. Others may be
 * denied what a lease holds and does not spend: at most half of what is left is drawn, for at most a tenth of a second.
 *
 * <p>What no lease has waits for the draw that is under way. Where the store has less than is asked for, it is left alone
 * for half a lease's life, and what is asked meanwhile is denied here: a key far above its limit costs the store a few
 * trips in that time, however often it is asked for, and gets nearly all of its limit.
 *
 * <p>A decision by a lease says so ({@link DecidedBy#LEASE}); what it tells of a limit is how the store saw it when the lease
 * was drawn. Thread-safe; it has no thread of its own.
 */
public final class Leasing extends ForwardingEngine {
    private static final long LONGEST_MICROS = 100_000;

    /** Of a limit whose permits come back sooner than this there is nothing to gain. */
    private static final long SHORTEST_RETURN_MICROS = 20_000;

    private static final long AWAY_AFTER_FAILURE_MICROS = 1_000_000;
    /** So long closing waits for what is under way to and from the store. */
    private static final long CLOSING_MILLIS = 1_000;

    /** An account, and the limit under which it is drawn from. */
    private record Account(Key key, Limit limit) {}

    private final Clock clock;
    private final Scheduler scheduler;
    private final BoundedMap<Account, AccountLeases> accounts;
    private final LongAdder decided = new LongAdder();

    /** Settlements that the store has not answered yet. */
    private final Map<Lease, CompletableFuture<Settlement>> settlements = new ConcurrentHashMap<>();

    private Leasing(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.scheduler = builder.scheduler;
        this.accounts = new BoundedMap<>(builder.maxKeys);
    }

    /** Leasing with default settings from the store, which it closes with itself. */
    @CheckReturnValue
    public static Leasing around(Engine store) {
        return builder(store).build();
    }

    /** Starts leasing from the store, which it closes with itself. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(Leasing.class, store));
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        if (!mayBeLeased(Expect.present(ask, "ask"))) {
            return inner.decide(ask);
        }
        long now = clock.micros();
        AccountLeases[] leases = new AccountLeases[ask.size()];
        for (int i = 0; i < leases.length; i++) {
            leases[i] = leasesOf(ask.charge(i), now);
            if (leases[i] == null) {
                return inner.decide(ask);
            }
            leases[i].want(ask.charge(i).cost(), now);
        }
        Decision decided = decideHere(ask, leases, now);
        if (decided != null) {
            return decided;
        }
        CompletableFuture<Void> draws = drawsUnderway(leases);
        return draws == null
                ? decideByStore(ask, leases)
                : Reply.later(draws.thenCompose(drawn -> {
                    long later = clock.micros();
                    if (ask.isOverdue(now, later)) {
                        return CompletableFuture.failedFuture(NotCharged.overdue());
                    }
                    Decision decidedNow = decideHere(ask, leases, later);
                    return decidedNow == null
                            ? decideByStore(ask, leases).whenReady()
                            : CompletableFuture.completedFuture(decidedNow);
                }));
    }

    /** By what leases have, or where there is nothing to be had; null where neither is the case. */
    private @Nullable Decision decideHere(Ask ask, AccountLeases[] leases, long now) {
        Decision leased = spend(ask, leases, now);
        for (int i = 0; i < leases.length; i++) {
            drawAhead(ask.charge(i), leases[i], now);
            Lease spent = leases[i].spent();
            if (spent != null) {
                end(spent); // at once: what is held does not come back, what was spent does
            }
        }
        Decision here = leased != null ? leased : denyForShortage(ask, leases, now);
        if (here != null) {
            decided.increment();
        }
        return here;
    }

    private static @Nullable CompletableFuture<Void> drawsUnderway(AccountLeases[] leases) {
        CompletableFuture<Void> all = null;
        for (AccountLeases each : leases) {
            CompletableFuture<Void> one = each.underway();
            all = one == null ? all : all == null ? one : CompletableFuture.allOf(all, one);
        }
        return all;
    }

    private static @Nullable Decision denyForShortage(Ask ask, AccountLeases[] leases, long now) {
        for (int i = 0; i < leases.length; i++) {
            AccountLeases.Shortage shortage = leases[i].shortage(now);
            long cost = ask.charge(i).cost();
            if (shortage != null && cost > shortage.remaining() && !leases[i].has(cost, now)) {
                return denied(ask, ask.charge(i), shortage, now);
            }
        }
        return null;
    }

    /** Nothing is left as far as this process goes, until the store is asked again. */
    private static Denied denied(Ask ask, Charge charge, AccountLeases.Shortage shortage, long now) {
        Snapshot seen = shortage.seen();
        long capacity = charge.limit().capacity();
        long again = shortage.storeMicros(shortage.untilMicros());
        Snapshot setAside =
                new Snapshot(seen.rule, seen.first, seen.second, seen.third, charge.cost(), 0, capacity, again, again);
        Ask lookedAt = ask.size() == 1 ? ask : ask.withCharges(List.of(charge));
        Evidence evidence =
                new Evidence(lookedAt, new Snapshot[] {setAside}, 1, shortage.storeMicros(now), DecidedBy.LEASE);
        return new Denied(evidence.of(ask, DecidedBy.LEASE));
    }

    /** Whether every charge may be leased, and nothing is asked for that only the store can give. */
    private static boolean mayBeLeased(Ask ask) {
        if (ask.size() == 0 || ask.purpose() != Ask.Purpose.DECIDE || ask.hold() != null || ask.id() != null) {
            return false;
        }
        for (int i = 0; i < ask.size(); i++) {
            if (!AccountLeases.mayServe(ask.charge(i))) {
                return false;
            }
        }
        return true;
    }

    /** Null where there are none to be had. One forgotten with a lease in hand loses only that: the scheduler ends the lease. */
    private @Nullable AccountLeases leasesOf(Charge charge, long now) {
        Account account = new Account(charge.key(), charge.limit());
        AccountLeases known = accounts.get(account);
        if (known != null) {
            return known;
        }
        long returnMicros = charge.limit().rule().idleAfterMicros(charge.limit().capacity(), now) - now;
        if (returnMicros < SHORTEST_RETURN_MICROS) {
            return null;
        }
        long lifeMicros = Math.min(LONGEST_MICROS, returnMicros / 4) / 1_000 * 1_000;
        return accounts.getOrAdd(
                account, () -> new AccountLeases(charge.settings().policy(), lifeMicros, returnMicros, now));
    }

    /** Spends the cost of every charge, or of none. */
    private static @Nullable Decision spend(Ask ask, AccountLeases[] leases, long now) {
        Lease[] taken = new Lease[leases.length];
        Snapshot[] seen = new Snapshot[leases.length];
        for (int i = 0; i < leases.length; i++) {
            Lease lease = leases[i].take(ask.charge(i).cost(), now);
            if (lease == null) {
                for (int k = 0; k < i; k++) {
                    taken[k].putBack(ask.charge(k).cost());
                }
                return null;
            }
            taken[i] = lease;
            seen[i] = lease.seen();
        }
        Evidence evidence = new Evidence(ask, seen, 0, taken[0].storeMicros(now), DecidedBy.LEASE);
        return new Allowed(evidence, 0, null);
    }

    private Reply<Decision> decideByStore(Ask ask, AccountLeases[] leases) {
        Reply<Decision> reply = inner.decide(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            learn(ready, leases, clock.micros());
            return ready;
        }
        return Reply.later(reply.whenReady().thenApply(decision -> {
            learn(decision, leases, clock.micros());
            return decision;
        }));
    }

    private static void learn(Decision decision, AccountLeases[] leases, long now) {
        if (decision.decidedBy() == DecidedBy.STORE && decision.limits().size() == leases.length) {
            for (int i = 0; i < leases.length; i++) {
                leases[i].sawRemaining(decision.limits().get(i).remaining(), now);
            }
        }
    }

    private void drawAhead(Charge charge, AccountLeases leases, long now) {
        long size = leases.toDraw(charge.limit().capacity(), now);
        if (size == 0) {
            return;
        }
        Duration life = Duration.of(leases.lifeMicros(), ChronoUnit.MICROS);
        Ask draw = Ask.of(Charge.of(charge.settings(), charge.key(), size)).hold(Hold.of(life));
        CompletionStage<Decision> reply;
        try {
            reply = inner.decide(draw).whenReady();
        } catch (Throwable e) {
            reply = CompletableFuture.failedStage(e);
        }
        reply.whenComplete((decision, failure) -> {
            try {
                PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
                if (grant != null) {
                    granted(decision, grant, size, leases, now);
                } else {
                    refused(decision, leases);
                }
            } catch (Throwable e) {
                leases.refused(null, AWAY_AFTER_FAILURE_MICROS, clock.micros()); // whoever waits for the draw goes on
                throw e;
            }
        });
    }

    private void granted(Decision allowed, PermitHandle grant, long size, AccountLeases leases, long sentMicros) {
        long lifeMicros = leases.lifeMicros() * 8 / 10; // so that what was spent is settled before the hold expires
        LimitStatus status = allowed.limits().get(0);
        Lease lease = new Lease(
                grant.id(),
                status.limit().unit(),
                size,
                sentMicros,
                sentMicros + lifeMicros,
                allowed.evidence().snapshot(0),
                Durations.micros(Duration.between(Instant.EPOCH, allowed.madeAt())));
        leases.drawn(lease, status.remaining(), clock.micros());
        long left = Math.max(0, sentMicros + lifeMicros - clock.micros());
        scheduler.after(Duration.of(left, ChronoUnit.MICROS), () -> end(lease));
    }

    /** After a refusal half a lease's life; costs that are left nevertheless are the store's to give. */
    private void refused(@Nullable Decision decision, AccountLeases leases) {
        long now = clock.micros();
        if (decision instanceof Denied denied && denied.decidedBy() == DecidedBy.STORE) {
            long away = leases.lifeMicros() / 2;
            long storeMicros = Durations.micros(Duration.between(Instant.EPOCH, denied.madeAt()));
            Snapshot seen = denied.evidence().snapshot(0);
            long remaining = denied.limits().get(0).remaining();
            leases.refused(new AccountLeases.Shortage(seen, storeMicros, remaining, now, now + away), away, now);
        } else {
            leases.refused(null, AWAY_AFTER_FAILURE_MICROS, now);
        }
    }

    /** Tells the store what was really spent. If that is lost, the hold expires there and is charged whole. */
    private void end(Lease lease) {
        long spent = lease.end();
        if (spent < 0) {
            return;
        }
        Reply<Settlement> reply = inner.settle(lease.permitId(), Costs.of(lease.unit(), spent));
        if (reply.ifReady() == null) {
            CompletableFuture<Settlement> settlement = reply.whenReady().toCompletableFuture();
            settlements.put(lease, settlement);
            var unused = settlement.whenComplete((settled, failure) -> settlements.remove(lease));
        }
    }

    /** Leases of the accounts end first: what was drawn is forgotten with the rest. */
    @Override
    public Reply<Completion> reset(Ask ask) {
        for (Charge charge : Expect.present(ask, "ask").charges()) {
            endAll(accounts.remove(new Account(charge.key(), charge.limit())));
        }
        return inner.reset(ask);
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        for (Iterator<Account> all = accounts.keys(); all.hasNext(); ) {
            Account account = all.next();
            if (counters.contains(account.key().counter())) {
                endAll(accounts.remove(account));
            }
        }
        return inner.resetCounters(counters);
    }

    private void endAll(@Nullable AccountLeases leases) {
        for (Lease lease : leases == null ? new Lease[0] : leases.giveUp()) {
            end(lease);
        }
    }

    /** How many permits are drawn ahead at present and not spent, by policy; looks at every key. */
    public Map<String, Long> held() {
        long now = clock.micros();
        Map<String, Long> held = new TreeMap<>();
        accounts.forEach((account, leases) -> held.merge(leases.policy(), leases.left(now), Long::sum));
        held.values().removeIf(left -> left == 0);
        return held;
    }

    /** How many decisions needed no trip, since it was made. */
    public long decided() {
        return decided.sum();
    }

    /** Gives back what is not spent, also of draws that are under way; waits a second at most for that; closes the store. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> draws = new ArrayList<>();
        for (Iterator<Account> all = accounts.keys(); all.hasNext(); ) {
            AccountLeases leases = accounts.remove(all.next());
            CompletableFuture<Void> draw = leases == null ? null : leases.underway();
            if (draw != null) {
                draws.add(draw.thenRun(() -> endAll(leases)));
            }
            endAll(leases);
        }
        long until = clock.micros() + CLOSING_MILLIS * 1_000;
        await(draws, until);
        await(List.copyOf(settlements.values()), until);
        inner.close();
    }

    private void await(List<? extends CompletableFuture<?>> all, long untilMicros) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(Math.max(0, untilMicros - clock.micros()), TimeUnit.MICROSECONDS);
        } catch (ExecutionException | TimeoutException e) { // what is lost expires in the store
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Settings of {@link Leasing}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 100_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private Scheduler scheduler = Scheduler.system();
        private int maxKeys = DEFAULT_MAX_KEYS;

        private Builder(Engine store) {
            this.store = store;
        }

        /** The clock by which a lease ends; that of the store is never asked. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /** How many keys are watched at most; beyond that those not asked for lately are forgotten. */
        public Builder maxKeys(int most) {
            Expect.positive(most, "maxKeys");
            maxKeys = most;
            return this;
        }

        @CheckReturnValue
        public Leasing build() {
            return new Leasing(this);
        }
    }
}
