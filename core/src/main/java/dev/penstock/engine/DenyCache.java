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
 * An engine around another that denies in the process, without a trip, what the store denied and is still certain to
 * deny: an attack on one key costs the store one question per permit, not one per request.
 *
 * <p>It keeps the account as the store saw it and works out the same rule on it, at a time that the store's clock cannot
 * have passed. So a denial is right for any cost, not only the one that was denied, and its retry is the store's. Its
 * figures are those of the last denial seen here: where others have charged the account since, less remains and the
 * wait is longer than it says, never shorter.
 *
 * <p>Only what the store itself said of enforced, strict limits is kept, never what a fallback said. Not kept are slots,
 * costs of zero (but for looks at a {@link Lockout}, whose blocks are kept from the strike on), accounts in which a permit holds something, and of a {@code sliding_log} what cannot be told without its
 * entries: there only the very cost that was denied is answered, and only if one permit less would have fitted.
 *
 * <p>The store may have allowed an ask with an id before. If such an ask is certain to be denied, the cache first asks the
 * store whether it {@linkplain Engine#mayRemember may remember} the id, which costs much less than a decision. It denies
 * only if the store does not.
 *
 * <p>When a denial has run out, one ask goes to the store to look, and those for the same account wait for what it finds,
 * twice at most, and only where their time-outs leave room for it; where permits come faster than every five
 * milliseconds all go by themselves.
 *
 * <p>An ask of several charges is denied if any of them is certain to be. The answer is {@link DecidedBy#DENY_CACHE};
 * its {@link Decision#limits} are those that deny, and no others: they alone were looked at.
 *
 * <p>A wrong denial is possible only while a denial is believed: for 0.999 of the wait, and five seconds by this
 * machine's clock, at most. It takes a reset on another node, a store that lost its state, this clock set back (by at
 * most those five seconds, or it is noticed) or the store's set ahead, or nodes with different numbers for one limit at
 * work on one account. A reset through this engine takes effect at once, one on another node as soon as the store's
 * {@link Fleet} reports it; it clears the accounts that were reset, or everything if a whole policy was reset or this node
 * missed some resets.
 *
 * <p>Thread-safe and bounded; no lock is held while the store is asked. Listeners see a cached denial like any other.
 */
public final class DenyCache extends ForwardingEngine {
    /** How often an ask waits for what another finds, before it goes to the store itself. */
    private static final int MOST_WAITS = 2;

    private final Clock clock;
    private final DenialTable denials;
    private final SingleFlightAsks scouts;
    private final LongAdder denied = new LongAdder();
    private final LongAdder passedOn = new LongAdder();

    private DenyCache(Builder builder) {
        super(builder.store);
        this.clock = builder.clock;
        this.denials = new DenialTable(builder.maxKeys);
        this.scouts = new SingleFlightAsks(builder.maxKeys);
        Fleet fleet = inner.fleet();
        if (fleet != null) {
            fleet.onReset(denials::reset);
        }
    }

    /** A cache with the defaults of {@link Builder}. */
    @CheckReturnValue
    public static DenyCache around(Engine store) {
        return builder(store).build();
    }

    /** A cache around the engine that is asked; the cache closes it. */
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

    /** An ask that is sure to be denied may have been allowed before, under its id: then the store gives that answer again. */
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
        SingleFlightAsks.Watched watched = waitsLeft == 0 ? null : scouts.find(accounts, now);
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

    /** Asks the store while others wait for what it says. */
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

    /** Where more is left than was asked for, nobody need wait for anybody. */
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

    /** Forgets what the ask may have changed, and keeps what it shows to be denied. */
    private void learn(Ask ask, AccountName[] accounts, Decision decision, long sentMicros, int resets) {
        if (ask.id() != null && decision.isAllowed()) { // perhaps of long ago: no news to those that were denied since
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
                SingleFlightAsks.Watched watched = scouts.denied(accounts[i], wait, sentMicros);
                long since =
                        watched == null ? sentMicros : watched.notBeyondMicros(storeMicros, sentMicros, clock.micros());
                denials.add(
                        new CachedDenial(accounts[i], charge.limit(), seen.snapshot(i), storeMicros, since), resets);
            }
        }
    }

    /** Whether it may bring about a block, although it is allowed. */
    private static boolean isStrike(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).cost() > 0 && ask.charge(i).limit().algorithm() instanceof Lockout) {
                return true;
            }
        }
        return false;
    }

    /** Resets in the store and forgets here, whatever the store answers. */
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
        // Only once it is done: until then the store may deny by what it is about to forget.
        return Reply.later(reply.whenReady().whenComplete((done, failure) -> denials.reset(accounts)));
    }

    /** Forgets everything, since any account may be of those. */
    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        Reply<Completion> reply = inner.resetCounters(counters);
        if (reply.ifReady() != null) {
            denials.reset(Resets.ALL);
            return reply;
        }
        return Reply.later(reply.whenReady().whenComplete((done, failure) -> denials.reset(Resets.ALL)));
    }

    /** What it was good for so far. */
    public Stats stats() {
        return new Stats(denied.sum(), passedOn.sum());
    }

    /**
     * Counts since the cache was made.
     *
     * @param denied asks that were denied here, without a trip
     * @param passedOn asks that the store was asked
     */
    public record Stats(long denied, long passedOn) {}

    /** Settings of a {@link DenyCache}. Not thread-safe. */
    public static final class Builder {
        private static final int DEFAULT_MAX_KEYS = 65_536;
        private static final int LARGEST_MAX_KEYS = 100_000_000;

        private final Engine store;
        private Clock clock = Clock.system();
        private int maxKeys = DEFAULT_MAX_KEYS;

        private Builder(Engine store) {
            this.store = store;
        }

        /** The clock that tells how long ago something was; it need not agree with the store's. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** How many accounts (a key under a limit) are remembered at most; 65,536 by default. */
        public Builder maxKeys(int most) {
            maxKeys = (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
            return this;
        }

        @CheckReturnValue
        public DenyCache build() {
            return new DenyCache(this);
        }
    }
}
