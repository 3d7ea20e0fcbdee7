package dev.penstock.engine;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.BoundedMap;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.lease.AccountLeases;
import dev.penstock.internal.lease.Lease;
import dev.penstock.internal.lease.LeaseDraws;
import dev.penstock.internal.lease.LeaseSkips;
import dev.penstock.internal.lease.LeasedPart;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Key;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An engine around a store that draws permits of hot keys in advance and spends them in this process, without a round
 * trip.
 *
 * <p>It leases only charges whose policy allows it ({@link Consistency#LEASED}), and only while their key is in demand.
 * The store decides everything else. A lease is a hold in the store, like a reservation. Drawn permits count there as
 * held until the lease is settled at the number actually spent, or expires and is charged in full. So <em>the limit is
 * never exceeded</em>, whatever happens to this process. A crash wastes at most the lease: its permits count as held
 * until it expires, and as spent from then on. Other nodes may be denied permits that a lease holds and does not
 * spend. At most half of what is left is drawn, for at most a tenth of a second.
 *
 * <p>An ask that no lease can serve waits for the draw that is in progress. If the store has fewer permits than are in
 * demand, it is not asked again for half a lease's lifetime, and asks that no lease can serve are denied here
 * meanwhile. So a key far above its limit costs the store only a few round trips in that time, regardless of demand,
 * and still gets nearly all of its limit.
 *
 * <p>A decision by a lease reports {@link DecidedBy#LEASE}, with the state of each limit as the store saw it when the
 * lease was drawn. Thread-safe. This engine has no thread.
 */
public final class Leasing extends ForwardingEngine {
    private static final long LONGEST_MICROS = 100_000;

    /** If all permits of a limit come back sooner than this, leasing gains nothing. */
    private static final long SHORTEST_RETURN_MICROS = 20_000;

    /** The maximum time that closing waits for draws and settlements in progress. */
    private static final long CLOSING_MILLIS = 1_000;

    /** An account, and the limit under which its permits are drawn. */
    private record Account(Key key, Limit limit) {}

    private final Clock clock;
    private final LeaseDraws draws;
    private final BoundedMap<Account, AccountLeases> accounts;
    private final LongAdder decided = new LongAdder();
    private final LongAdder decidedInPart = new LongAdder();
    private final LeaseSkips skips = new LeaseSkips();

    private Leasing(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.draws = new LeaseDraws(inner, builder.clock, builder.scheduler);
        this.accounts = new BoundedMap<>(builder.maxKeys);
    }

    /** Returns an engine that leases from the store, with default settings. It closes the store. */
    @CheckReturnValue
    public static Leasing around(Engine store) {
        return builder(store).build();
    }

    /** Returns a builder of an engine that leases from the store. The engine closes the store. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(Leasing.class, store));
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        if (Expect.present(ask, "ask").purpose() != Ask.Purpose.DECIDE || !LeaseSkips.concerns(ask)) {
            return inner.decide(ask);
        }
        if (ask.hold() != null || ask.id() != null) {
            skips.count(ask.hold() != null ? LeaseSkips.Reason.HOLD : LeaseSkips.Reason.ID);
            return inner.decide(ask);
        }
        long now = clock.micros();
        @Nullable AccountLeases[] leases = new @Nullable AccountLeases[ask.size()];
        int found = 0;
        for (int i = 0; i < leases.length; i++) {
            AccountLeases each = leasesOf(ask.charge(i), now);
            if (each != null) {
                leases[i] = each;
                found++;
            }
        }
        if (found < leases.length) {
            skips.count(LeaseSkips.reason(ask, leases));
        }
        if (found == 0) {
            return inner.decide(ask);
        } else if (found < leases.length) {
            return decideInPart(ask, leases, now);
        }
        want(ask, leases, now);
        return decideWhole(ask, leases, now);
    }

    /** Counts demand. If the store decides a part of a request, the request counts only if it is allowed. */
    private static void want(Ask ask, @Nullable AccountLeases[] leases, long now) {
        for (int i = 0; i < leases.length; i++) {
            AccountLeases each = leases[i];
            if (each != null) {
                each.want(ask.charge(i).cost(), now);
            }
        }
    }

    private Reply<Decision> decideWhole(Ask ask, @Nullable AccountLeases[] leases, long now) {
        Decision decided = decideHere(ask, leases, now);
        if (decided != null) {
            return decided;
        }
        CompletableFuture<Void> underway = drawsUnderway(leases);
        return underway == null
                ? decideByStore(ask, leases)
                : Reply.later(underway.thenCompose(drawn -> {
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

    /** Decides from leases, or denies if the store has no permits left. Returns null if neither is possible. */
    private @Nullable Decision decideHere(Ask ask, @Nullable AccountLeases[] leases, long now) {
        LeasedPart leased = LeasedPart.take(ask, leases, now);
        drawAhead(ask, leases, now);
        endSpent(leases);
        Decision here = leased != null ? leased.whole() : denyForShortage(ask, leases, now);
        if (here != null) {
            decided.increment();
        }
        return here;
    }

    /**
     * Takes from leases whatever can be leased, and lets the store decide the rest. If a lease has too few permits, or
     * too many requests may still put theirs back, the store decides everything.
     */
    private Reply<Decision> decideInPart(Ask ask, @Nullable AccountLeases[] leases, long now) {
        LeasedPart leased = LeasedPart.take(ask, leases, now);
        drawAhead(ask, leases, now);
        if (leased == null) {
            return decideByStore(ask, leases);
        }
        Reply<Decision> reply;
        try {
            reply = inner.decide(leased.rest());
        } catch (Throwable e) {
            leased.failed(e);
            throw e;
        }
        Decision ready = reply.ifReady();
        if (ready != null) {
            return together(ask, leased, ready, leases);
        }
        return Reply.later(reply.whenReady()
                .whenComplete((rest, failure) -> {
                    if (failure != null) {
                        leased.failed(failure);
                    }
                })
                .thenApply(rest -> together(ask, leased, rest, leases)));
    }

    private Decision together(Ask ask, LeasedPart leased, Decision rest, @Nullable AccountLeases[] leases) {
        Decision decision = leased.with(rest);
        leased.spent(draws::end);
        if (decision.isAllowed()) {
            want(ask, leases, clock.micros());
            decidedInPart.increment();
        }
        return decision;
    }

    private void drawAhead(Ask ask, @Nullable AccountLeases[] leases, long now) {
        for (int i = 0; i < leases.length; i++) {
            AccountLeases each = leases[i];
            if (each != null) {
                draws.drawAhead(ask.charge(i), each, now);
            }
        }
    }

    /** Ends spent leases at once, because spent permits come back with time, but held ones do not. */
    private void endSpent(@Nullable AccountLeases[] leases) {
        for (AccountLeases each : leases) {
            Lease spent = each == null ? null : each.spent();
            if (spent != null) {
                draws.end(spent);
            }
        }
    }

    private static @Nullable CompletableFuture<Void> drawsUnderway(@Nullable AccountLeases[] leases) {
        CompletableFuture<Void> all = null;
        for (AccountLeases each : leases) {
            CompletableFuture<Void> one = each == null ? null : each.underway();
            all = one == null ? all : all == null ? one : CompletableFuture.allOf(all, one);
        }
        return all;
    }

    private static @Nullable Decision denyForShortage(Ask ask, @Nullable AccountLeases[] leases, long now) {
        for (int i = 0; i < leases.length; i++) {
            AccountLeases each = leases[i];
            AccountLeases.Shortage shortage = each == null ? null : each.shortage(now);
            long cost = ask.charge(i).cost();
            if (each != null && shortage != null && cost > shortage.remaining() && !each.has(cost, now)) {
                return denied(ask, ask.charge(i), shortage, now);
            }
        }
        return null;
    }

    /** Denies a charge. Until the store is asked again, this process assumes that nothing is left. */
    private static Denied denied(Ask ask, Charge charge, AccountLeases.Shortage shortage, long now) {
        Snapshot seen = shortage.seen();
        long capacity = charge.limit().capacity();
        long again = shortage.storeMicros(shortage.untilMicros());
        Snapshot setAside = new Snapshot(
                seen.rule,
                seen.first,
                seen.second,
                seen.third,
                charge.cost(),
                0,
                capacity,
                again,
                Snapshot.UNKNOWN,
                again);
        Ask lookedAt = ask.size() == 1 ? ask : ask.withCharges(List.of(charge));
        Evidence evidence =
                new Evidence(lookedAt, new Snapshot[] {setAside}, 1, shortage.storeMicros(now), DecidedBy.LEASE);
        return new Denied(evidence.of(ask, DecidedBy.LEASE));
    }

    /**
     * Returns the account's leases, or null if the charge cannot be leased or leasing would gain nothing. Evicted leases
     * still end in time.
     */
    private @Nullable AccountLeases leasesOf(Charge charge, long now) {
        if (!AccountLeases.mayServe(charge)) {
            return null;
        }
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

    private Reply<Decision> decideByStore(Ask ask, @Nullable AccountLeases[] leases) {
        Reply<Decision> reply = inner.decide(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            learn(ask, ready, leases, clock.micros());
            return ready;
        }
        return Reply.later(reply.whenReady().thenApply(decision -> {
            learn(ask, decision, leases, clock.micros());
            return decision;
        }));
    }

    private static void learn(Ask ask, Decision decision, @Nullable AccountLeases[] leases, long now) {
        if (decision.isAllowed() && Arrays.asList(leases).contains(null)) {
            want(ask, leases, now);
        }
        if (decision.decidedBy() == DecidedBy.STORE && decision.limits().size() == leases.length) {
            for (int i = 0; i < leases.length; i++) {
                AccountLeases each = leases[i];
                if (each != null) {
                    each.sawRemaining(decision.limits().get(i).remaining(), now);
                }
            }
        }
    }

    /** Ends the leases of the accounts first, so that the reset also clears what they had drawn. */
    @Override
    public Reply<Completion> reset(Ask ask) {
        for (Charge charge : Expect.present(ask, "ask").charges()) {
            draws.endAll(accounts.remove(new Account(charge.key(), charge.limit())));
        }
        return inner.reset(ask);
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        for (Iterator<Account> all = accounts.keys(); all.hasNext(); ) {
            Account account = all.next();
            if (counters.contains(account.key().counter())) {
                draws.endAll(accounts.remove(account));
            }
        }
        return inner.resetCounters(counters);
    }

    /** Returns the number of permits that are leased and not spent, by policy. Scans every key. */
    public Map<String, Long> held() {
        long now = clock.micros();
        Map<String, Long> held = new TreeMap<>();
        accounts.forEach((account, leases) -> held.merge(leases.policy(), leases.left(now), Long::sum));
        held.values().removeIf(left -> left == 0);
        return held;
    }

    /** Returns the number of decisions without a round trip since this engine was created. */
    public long decided() {
        return decided.sum();
    }

    /** Returns the number of allowed requests that were decided partly from leases, since this engine was created. */
    public long decidedInPart() {
        return decidedInPart.sum();
    }

    /**
     * Returns the number of decisions under leased policies that took a round trip, although their leases may have had
     * enough permits, by the reason: a word such as {@code concurrency}.
     */
    public Map<String, Long> skipped() {
        return skips.counts();
    }

    /** Gives back unspent permits, waiting at most a second for draws in progress, and closes the store. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> underway = new ArrayList<>();
        for (Iterator<Account> all = accounts.keys(); all.hasNext(); ) {
            AccountLeases leases = accounts.remove(all.next());
            CompletableFuture<Void> draw = leases == null ? null : leases.underway();
            if (draw != null) {
                underway.add(draw.thenRun(() -> draws.endAll(leases)));
            }
            draws.endAll(leases);
        }
        long until = clock.micros() + CLOSING_MILLIS * 1_000;
        await(underway, until);
        await(draws.settlements(), until);
        inner.close();
    }

    private void await(List<? extends CompletableFuture<?>> all, long untilMicros) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .get(Math.max(0, untilMicros - clock.micros()), TimeUnit.MICROSECONDS);
        } catch (ExecutionException | TimeoutException e) { // the store settles lost leases when they expire
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Builds a {@link Leasing}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 100_000;
        static final int LARGEST_MAX_KEYS = 100_000_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private Scheduler scheduler = Scheduler.system();
        private int maxKeys = DEFAULT_MAX_KEYS;

        private Builder(Engine store) {
            this.store = store;
        }

        /** Sets the clock by which leases end. It need not agree with the store's clock. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Sets the scheduler that ends leases in time. */
        public Builder scheduler(Scheduler other) {
            scheduler = Expect.present(other, "scheduler");
            return this;
        }

        /**
         * Sets the maximum number of keys whose demand is tracked; 100,000 by default. Above that, keys without recent
         * requests are dropped.
         */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /** Builds the engine. */
        @CheckReturnValue
        public Leasing build() {
            return new Leasing(this);
        }
    }
}
