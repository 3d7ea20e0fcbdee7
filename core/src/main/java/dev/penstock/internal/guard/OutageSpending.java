package dev.penstock.internal.guard;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.FailurePlan.Unseen;
import dev.penstock.LimitStatus;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.State;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one account's share was started with, and what it gave out that the store does not know yet.
 *
 * <p>The share itself is an account of the memory store. Beside it the tab keeps the state that this account would have
 * if nothing had been taken since. The difference between the two is what is owed to the store. It shrinks at the
 * limit's own pace, because the store's account has been refilling too.
 *
 * <p>The store's word always counts: whenever the store has reported since the share was started, the share is started
 * again from that report less what is still owed, be it more or less than the share had left. So permits given out in an
 * earlier outage do not count twice.
 *
 * <p>Only what was spent is owed. What a permit of the fallback holds is owed once the permit is settled or has expired.
 *
 * <p>Thread-safe.
 */
final class OutageSpending {
    private static final int MOST_REFUSALS = 10;
    private static final long AFTER_REFUSAL_MICROS = 1_000_000;

    private final MemoryStore shares;
    private final StoreReports words;

    /** As asked of the store, and on the share. */
    private Charge whole;

    private Charge part;

    private StoreReports.@Nullable Word startedFrom;
    private @Nullable State untouched;

    /** Permits for the slots that are taken in the store, or belong to other nodes. */
    private final List<String> slotsElsewhere = new ArrayList<>();

    private boolean beingPosted;
    private int refusals;
    private long refusedAtMicros;

    OutageSpending(MemoryStore shares, StoreReports words, Charge whole, Charge part) {
        this.shares = shares;
        this.words = words;
        this.whole = whole;
        this.part = part;
    }

    /** Starts the share, or starts it again if the store has reported since; else leaves it alone. */
    synchronized void start(Charge newWhole, Charge newPart, StoreReports.@Nullable Word word, int nodes, long now) {
        whole = newWhole;
        part = newPart;
        if (untouched != null && (word == null || word == startedFrom)) {
            return;
        }
        StoreReports.Word report = word != null && word.holds(whole.limit(), now) ? word : null;
        if (isConcurrency()) {
            startSlots(report, nodes);
        } else {
            shares.replaceSpent(part, (present, at) -> spentAtStart(present, report, nodes, at));
        }
        startedFrom = word;
        refusals = 0;
    }

    private State spentAtStart(State present, StoreReports.@Nullable Word report, int nodes, long now) {
        if (report != null) {
            long owed = owed(present, now);
            State share = ShareStart.of(report, whole.limit(), part.limit(), nodes, now);
            long left = rule().remaining(share, now);
            boolean hasRoom = owed <= left;
            untouched = hasRoom ? ShareStart.of(report, whole.limit(), part.limit(), nodes, now) : withLeft(owed, now);
            spend(share, hasRoom ? owed : left, now);
            return share;
        }
        State share = new State(rule());
        share.copyFrom(present);
        if (untouched == null) {
            long left = rule().leftBesideHolds(share, now);
            long most = startsWithOne() ? 1 : left;
            spend(share, left - most, now);
            untouched = withLeft(Math.min(left, most), now);
        }
        return share;
    }

    /** Turns of a leaky bucket come one after the other anyway, and a block is no permit. */
    private boolean startsWithOne() {
        return whole.settings().onStoreFailure().unseen() == Unseen.ONE
                && !(part.limit().algorithm() instanceof LeakyBucket
                        || part.limit().algorithm() instanceof Lockout);
    }

    private State withLeft(long left, long now) {
        State state = new State(rule());
        rule().advance(state, now);
        spend(state, rule().capacity() - left, now);
        return state;
    }

    private void startSlots(StoreReports.@Nullable Word report, int nodes) {
        untouched = new State(rule());
        freeSlotsElsewhere();
        long free = status().remaining();
        long start = report != null ? report.remaining() / nodes : startsWithOne() ? 1 : free;
        for (long rest = free - start; rest > 0; rest -= Concurrency.MOST_PER_REQUEST) {
            Decision taken = shares.decide(Ask.of(share(Math.min(rest, Concurrency.MOST_PER_REQUEST))));
            PermitHandle grant = taken instanceof Allowed allowed ? allowed.permitHandle() : null;
            if (grant != null) {
                slotsElsewhere.add(grant.id());
            }
        }
    }

    private void freeSlotsElsewhere() {
        for (String permit : slotsElsewhere) {
            shares.settle(permit, null);
        }
        slotsElsewhere.clear();
    }

    /** The request was sent to the store, which may have charged it: nobody must charge it again. */
    synchronized void except(long cost, long now) {
        spendUntouched(cost, now);
    }

    /** Whether there is something to post, and nobody is about to. */
    synchronized boolean beginPost(long now) {
        if (beingPosted || isTooSoon(now) || owed() == 0) {
            return false;
        }
        beingPosted = true;
        return true;
    }

    private boolean isTooSoon(long now) {
        long elapsed = now - refusedAtMicros;
        return refusals >= MOST_REFUSALS || (refusals > 0 && elapsed >= 0 && elapsed < AFTER_REFUSAL_MICROS);
    }

    /**
     * The amount that the store is to be charged now; from here on it counts as posted.
     *
     * @param before the store's answer that it is charged after
     */
    synchronized long settlePost(Decision before, long now) {
        long owed = owed();
        spendUntouched(owed, now);
        words.notePosted(whole, before, owed);
        beingPosted = false;
        refusals = 0;
        return owed;
    }

    /** The store refused to take anything: its account is in debt already. It is tried again some times. */
    synchronized void refusePost(long now) {
        beingPosted = false;
        refusals++;
        refusedAtMicros = now;
    }

    /** The store could not be reached. */
    synchronized void failPost() {
        beingPosted = false;
    }

    /** Whether nothing will be posted any more. */
    synchronized boolean isDone() {
        return !beingPosted && (refusals >= MOST_REFUSALS || (owed() == 0 && !mayOweLater()));
    }

    /** Whether a permit holds something of the share, which is owed once it is settled. */
    private boolean mayOweLater() {
        return !isConcurrency() && shares.measure(part, (share, now) -> share.held()) > 0;
    }

    /** Gives back what only stood for others. The tab must not be used any more. */
    synchronized void close() {
        freeSlotsElsewhere();
    }

    /** A charge of nothing on the store's account, in earnest even where the policy only observes. */
    synchronized Charge nothing() {
        return inEarnest(whole, whole.settings(), 0);
    }

    /** The charge that posts strikes, which no permit can hold; null for an account of another kind. */
    synchronized @Nullable Charge strike(long owed) {
        if (!(whole.limit().algorithm() instanceof Lockout lockout)) {
            return null;
        }
        LimitStatus share = status();
        if (share.remaining() > 0) {
            return inEarnest(
                    whole, whole.settings(), Math.min(owed, whole.limit().capacity()));
        }
        long blockedMicros = share.resetAfter().toNanos() / 1_000;
        return inEarnest(whole, whole.settings().limit(ShareStart.once(lockout, blockedMicros)), 1);
    }

    private static Charge inEarnest(Charge like, LimitSettings settings, long cost) {
        return like.on(settings.enforcement(Enforcement.ENFORCED)).at(cost);
    }

    /** Slots are held, not spent: there is nothing to post of them. */
    private long owed() {
        return isConcurrency() ? 0 : shares.measure(part, this::owed);
    }

    private long owed(State share, long now) {
        State state = untouched;
        if (state == null) {
            return 0;
        }
        rule().advance(state, now);
        long owed = Math.max(0, rule().remaining(state, now) - rule().leftBesideHolds(share, now));
        return owed > 0 && isAboveDifference(owed, state, share, now) ? owed - 1 : owed;
    }

    /** Whether the amount is rounded up: a part of a permit has come back in the share's bucket, but not in a full one. */
    private boolean isAboveDifference(long amount, State state, State share, long now) {
        if (!ShareStart.isBucket(part.limit())) {
            return false;
        }
        State charged = new State(rule());
        charged.copyFrom(state);
        rule().charge(charged, amount, now);
        return rule().resetMicros(charged, now) > rule().resetMicros(share, now);
    }

    private void spendUntouched(long cost, long now) {
        State state = untouched;
        if (state != null && !isConcurrency()) {
            rule().advance(state, now);
            spend(state, cost, now);
        }
    }

    private void spend(State state, long cost, long now) {
        if (cost > 0) {
            rule().charge(state, cost, now);
        }
    }

    private LimitStatus status() {
        return shares.decide(Ask.of(share(0)).peek()).limits().get(0);
    }

    private Charge share(long cost) {
        return inEarnest(part, part.settings(), cost);
    }

    private boolean isConcurrency() {
        return part.limit().algorithm() instanceof Concurrency;
    }

    private Rule rule() {
        return part.limit().rule();
    }
}
