package dev.penstock.engine;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.AccountName;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.internal.cache.CachedDenial;
import dev.penstock.internal.cache.CertainDenial;
import dev.penstock.internal.cache.DenialTable;
import dev.penstock.internal.cache.SingleFlightAsks;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Resets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * An engine that repeats the store's denials in this process for as long as the store would certainly deny. An attack
 * on one key then costs the store about two round trips per permit that comes back (one allows, one denies), not one
 * per request.
 *
 * <p>The cache keeps each account as the store saw it when it denied. It applies the same rule to that state, at a time
 * that the store's clock cannot have passed. So the answer is right for any cost, not only for the denied one, and the
 * retry time is the store's. The reported numbers come from the last denial seen here. If other nodes have charged the
 * account since, less remains and the wait is longer than reported, never shorter.
 *
 * <p>The cache keeps only the store's own answers on enforced, strict limits, never answers of the fallback. It does
 * not keep:
 *
 * <ul>
 *   <li>slots, and accounts in which a permit holds something, because they may be given back
 *   <li>charges of cost zero, except looks at a {@link Lockout}: the strike that causes a block also puts the block
 *       into the cache
 *   <li>most denials by a {@code sliding_log}, which depend on its entries. It keeps such a denial only if a cost lower
 *       by one would have fit, and uses it only for the cost that was denied.
 * </ul>
 *
 * <p>An ask with an id may repeat one that the store has allowed. Before the cache denies such an ask, it asks the
 * store whether it {@linkplain Engine#mayRemember may remember} the id, which costs much less than a decision. The
 * cache denies only if the store does not remember the id.
 *
 * <p>When a cached denial has expired, only one ask goes to the store. Other asks for the same account wait for its
 * answer, at most twice, and only if their timeouts leave enough time. If permits come back faster than every five
 * milliseconds, all asks go to the store.
 *
 * <p>An ask of several charges is denied if any charge would certainly be denied. The answer is {@link
 * DecidedBy#DENY_CACHE}, and its {@link Decision#limits} are only those that deny, because no others were checked.
 *
 * <p>A cached denial is used for at most 0.999 of the wait, and for at most five seconds by this
 * machine's clock. Only during that time can a denial be wrong. The possible causes are:
 *
 * <ul>
 *   <li>a reset on another node
 *   <li>a store that lost its state, or whose clock was set ahead
 *   <li>this machine's clock set back by no more than the age of the denial; if it is set back
 *       further, the denial is not used
 *   <li>nodes that use different numbers for one limit on the same account
 * </ul>
 *
 * <p>A reset through this engine takes effect at once. A reset on another node takes effect as soon
 * as the store's {@link Fleet} reports it. It removes the accounts that were reset, or everything
 * if a whole policy was reset or this node missed some resets.
 *
 * <p>Thread-safe and bounded. No lock is held while the store is asked. Listeners see a cached denial like any other.
 */
public final class DenyCache extends ForwardingEngine {
    /** How often an ask waits for the answer to another ask before it goes to the store itself. */
    private static final int MOST_WAITS = 2;

    private final Clock clock;
    private final DenialTable denials;
    private final SingleFlightAsks singleFlight;
    private final LongAdder denied = new LongAdder();
    private final LongAdder passedOn = new LongAdder();

    private DenyCache(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.denials = new DenialTable(builder.maxKeys);
        this.singleFlight = new SingleFlightAsks(builder.maxKeys);
        Fleet fleet = inner.fleet();
        if (fleet != null) {
            fleet.onReset(denials::reset);
        }
    }

    /** Returns a cache around the store, with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static DenyCache around(Engine store) {
        return builder(store).build();
    }

    /** Returns a builder of a cache around the store. The cache closes the store. */
    @CheckReturnValue
    public static Builder builder(Engine store) {
        return new Builder(StackOrder.inside(DenyCache.class, store));
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        AccountName[] accounts = AccountName.all(Expect.present(ask, "ask"));
        long now = clock.micros();
        return ask.id() == null ? decide(ask, accounts, now, now, MOST_WAITS) : decideOnce(ask, accounts, now);
    }

    /**
     * Decides an ask with an id. If it would be denied here, the store may have allowed it before under the same id. In
     * that case, the store repeats its answer.
     */
    private Reply<Decision> decideOnce(Ask ask, AccountName[] accounts, long sinceMicros) {
        if (CertainDenial.of(ask, accounts, denials, sinceMicros) == null) {
            return askStore(ask, accounts, sinceMicros);
        }
        Reply<Boolean> mayRemember = inner.mayRemember(ask);
        Boolean ready = mayRemember.ifReady();
        if (ready != null) {
            return decideKnowing(ask, accounts, sinceMicros, ready);
        }
        return Reply.later(mayRemember
                .whenReady()
                .exceptionally(failure -> true)
                .thenCompose(
                        may -> decideKnowing(ask, accounts, sinceMicros, may).whenReady()));
    }

    private Reply<Decision> decideKnowing(Ask ask, AccountName[] accounts, long sinceMicros, boolean mayRemember) {
        long now = clock.micros();
        if (!mayRemember) {
            return decide(ask, accounts, sinceMicros, now, 0);
        }
        return ask.isOverdue(sinceMicros, now) ? overdue() : askStore(ask, accounts, now);
    }

    private static Reply<Decision> overdue() {
        return Reply.later(CompletableFuture.failedFuture(NotCharged.overdue()));
    }

    private Reply<Decision> decide(Ask ask, AccountName[] accounts, long sinceMicros, long now, int waitsLeft) {
        CertainDenial sure = CertainDenial.of(ask, accounts, denials, now);
        if (sure != null) {
            denied.increment();
            return denied(ask, sure);
        }
        if (ask.isOverdue(sinceMicros, now)) {
            return overdue();
        }
        SingleFlightAsks.Watched watched = waitsLeft == 0 ? null : singleFlight.find(accounts, now);
        if (watched == null) {
            return askStore(ask, accounts, now);
        }
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> other = watched.begin(own);
        if (other == null) {
            return scout(ask, accounts, watched, own, now);
        }
        if (!watched.isWorthWaiting(ask.effectiveTimeout(), now - sinceMicros)) {
            return askStore(ask, accounts, now);
        }
        return Reply.later(other.thenCompose(
                answered -> decide(ask, accounts, sinceMicros, clock.micros(), answered ? waitsLeft - 1 : 0)
                        .whenReady()));
    }

    /** Asks the store while other asks for the account wait for the answer. */
    private Reply<Decision> scout(
            Ask ask,
            AccountName[] accounts,
            SingleFlightAsks.Watched watched,
            CompletableFuture<Boolean> own,
            long sentMicros) {
        Reply<Decision> reply;
        try {
            reply = askStore(ask, accounts, sentMicros);
        } catch (Throwable e) {
            watched.end(own, false, 0);
            throw e;
        }
        Decision ready = reply.ifReady();
        if (ready != null) {
            found(ready, watched);
            watched.end(own, true, 0);
            return reply;
        }
        return Reply.later(reply.whenReady().whenComplete((decision, failure) -> {
            if (failure == null) {
                found(decision, watched);
            }
            watched.end(own, failure == null, clock.micros() - sentMicros);
        }));
    }

    /** Lets all asks go to the store if more is left than this one asked for. */
    private static void found(Decision decision, SingleFlightAsks.Watched watched) {
        LimitStatus binding = decision.isAllowed() ? decision.binding() : null;
        if (binding != null && binding.remaining() > 0) {
            watched.leave();
        }
    }

    private Reply<Decision> askStore(Ask ask, AccountName[] accounts, long sentMicros) {
        passedOn.increment();
        int resets = denials.resets();
        Reply<Decision> reply = inner.decide(ask);
        Decision ready = reply.ifReady();
        if (ready != null) {
            learn(ask, accounts, ready, sentMicros, resets);
            return reply;
        }
        return Reply.later(reply.whenReady().thenApply(decision -> {
            learn(ask, accounts, decision, sentMicros, resets);
            return decision;
        }));
    }

    private static Denied denied(Ask ask, CertainDenial sure) {
        Snapshot[] snapshots = sure.snapshots().toArray(Snapshot[]::new);
        Ask lookedAt = snapshots.length == ask.size() ? ask : ask.withCharges(sure.denied());
        long all = -1L >>> -snapshots.length;
        Evidence seen = new Evidence(lookedAt, snapshots, all, sure.storeMicros(), DecidedBy.DENY_CACHE);
        return new Denied(seen.of(ask, DecidedBy.DENY_CACHE));
    }

    /** Drops cached denials that the ask may have made obsolete, and keeps the denials that its answer proves. */
    private void learn(Ask ask, AccountName[] accounts, Decision decision, long sentMicros, int resets) {
        // may repeat an old answer, which proves nothing about later denials
        if (ask.id() != null && decision.isAllowed()) {
            for (AccountName account : accounts) {
                denials.forgetUntil(account, decision.evidence().madeAtMicros());
            }
            return;
        }
        for (int i = 0; i < accounts.length; i++) {
            Charge charge = ask.charge(i);
            boolean charged = decision.isAllowed()
                    && ask.purpose() == Ask.Purpose.DECIDE
                    && (charge.cost() > 0 || ask.hold() != null);
            denials.forget(accounts[i], charged ? null : charge.limit());
        }
        if ((decision.isAllowed() && !isStrike(ask)) || decision.decidedBy() != DecidedBy.STORE) {
            return;
        }
        Evidence seen = decision.evidence();
        if (seen.size() != ask.size()) {
            return;
        }
        for (int i = 0; i < accounts.length; i++) {
            Charge charge = ask.charge(i);
            long storeMicros = seen.seenAtMicros(i);
            if (CachedDenial.isDenial(charge, seen.snapshot(i), seen.isExceeded(i), storeMicros)
                    && CachedDenial.isLasting(charge, seen.snapshot(i), storeMicros)
                    && !CertainDenial.meetsOtherNumbers(ask, accounts, i)) {
                long wait = charge.limit().rule().waitMicros(seen.snapshot(i), storeMicros, ask.maxDelayMicros());
                SingleFlightAsks.Watched watched = singleFlight.denied(accounts[i], wait, sentMicros);
                long since =
                        watched == null ? sentMicros : watched.notBeyondMicros(storeMicros, sentMicros, clock.micros());
                denials.add(
                        new CachedDenial(accounts[i], charge.limit(), seen.snapshot(i), storeMicros, since), resets);
            }
        }
    }

    /** Returns whether the ask may cause a block even if it is allowed. */
    private static boolean isStrike(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).cost() > 0 && ask.charge(i).limit().algorithm() instanceof Lockout) {
                return true;
            }
        }
        return false;
    }

    /** Resets the accounts in the store, and drops their denials here whether or not that succeeds. */
    @Override
    public Reply<Completion> reset(Ask ask) {
        AccountName[] accounts = AccountName.all(Expect.present(ask, "ask"));
        Reply<Completion> reply;
        try {
            reply = inner.reset(ask);
        } catch (RuntimeException e) {
            denials.reset(accounts);
            throw e;
        }
        if (reply.ifReady() != null) {
            denials.reset(accounts);
            return reply;
        }
        // Drop them only when the reset is done. Until then, the store may still deny from the old state.
        return Reply.later(reply.whenReady().whenComplete((done, failure) -> denials.reset(accounts)));
    }

    /** Resets the counters in the store, and drops all denials here, because each may belong to one of the counters. */
    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        Reply<Completion> reply = inner.resetCounters(counters);
        if (reply.ifReady() != null) {
            denials.reset(Resets.ALL);
            return reply;
        }
        return Reply.later(reply.whenReady().whenComplete((done, failure) -> denials.reset(Resets.ALL)));
    }

    /** Returns counts of the asks so far. */
    public Stats stats() {
        return new Stats(denied.sum(), passedOn.sum());
    }

    /**
     * Counts of asks since the cache was created.
     *
     * @param denied the number of asks that were denied here without a round trip
     * @param passedOn the number of asks that were sent to the store
     */
    public record Stats(long denied, long passedOn) {}

    /** Builds a {@link DenyCache}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 65_536;
        static final int LARGEST_MAX_KEYS = 100_000_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private int maxKeys = DEFAULT_MAX_KEYS;

        private Builder(Engine store) {
            this.store = store;
        }

        /** Sets the clock that measures the age of denials. It need not agree with the store's clock. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Sets the maximum number of accounts (a key under a limit) that are cached; 65,536 by default. */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        /** Builds the cache. */
        @CheckReturnValue
        public DenyCache build() {
            return new DenyCache(this);
        }
    }
}
