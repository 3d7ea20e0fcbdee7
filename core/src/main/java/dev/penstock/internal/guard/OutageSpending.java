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
 * The state in which one account's share started, and the spending by the share that the store does not know yet.
 *
 * <p>The share itself is an account of the memory store. Beside it, this class keeps the state that the account would
 * have if nothing had been taken from the share. The difference between the two is what is owed to the store. It
 * shrinks at the limit's own pace, because the store's account is refilled too.
 *
 * <p>If the store has reported since the share started, the share starts again from that report minus what is still
 * owed. It does so whether that is more or less than the share had left. So permits given out in an earlier outage do
 * not count twice.
 *
 * <p>Only what was spent is owed. The cost that a fallback permit holds is owed once the permit is settled or has
 * expired.
 *
 * <p>Thread-safe.
 */
final class OutageSpending {
    private static final int MOST_REFUSALS = 10;
    private static final long AFTER_REFUSAL_MICROS = 1_000_000;

    private final MemoryStore shares;
    private final StoreReports words;

    /** The charge on the whole limit, as sent to the store. {@link #part} is the same charge on the share. */
    private Charge whole;

    private Charge part;

    private StoreReports.@Nullable StoreReport startedFrom;
    private @Nullable State untouched;

    /** The ids of permits that occupy the slots that are in use in the store or belong to other nodes. */
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

    /** Starts the share if it is new or the store has reported since it started. Otherwise does nothing. */
    synchronized void start(
            Charge newWhole, Charge newPart, StoreReports.@Nullable StoreReport word, int nodes, long now) {
        whole = newWhole;
        part = newPart;
        if (untouched != null && (word == null || word == startedFrom)) {
            return;
        }
        StoreReports.StoreReport report = word != null && word.holds(whole.limit(), now) ? word : null;
        if (isConcurrency()) {
            startSlots(report, nodes);
        } else {
            shares.replaceSpent(part, (present, at) -> spentAtStart(present, report, nodes, at));
        }
        startedFrom = word;
        refusals = 0;
    }

    private State spentAtStart(State present, StoreReports.@Nullable StoreReport report, int nodes, long now) {
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

    /**
     * Returns whether an unknown key starts with one permit. Leaky buckets and lockouts do not, because a leaky bucket
     * spaces its turns anyway, and a block is no permit.
     */
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

    private void startSlots(StoreReports.@Nullable StoreReport report, int nodes) {
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

    /** Records a request that was sent to the store. The store may have charged it, so it must not be posted. */
    synchronized void except(long cost, long now) {
        spendUntouched(cost, now);
    }

    /** Returns whether there is something to post and no other post is in progress. If so, the caller must post it. */
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
     * Returns the amount to charge to the store now, and records it as posted.
     *
     * @param before the store's answer just before this charge
     */
    synchronized long settlePost(Decision before, long now) {
        long owed = owed();
        spendUntouched(owed, now);
        words.notePosted(whole, before, owed);
        beingPosted = false;
        refusals = 0;
        return owed;
    }

    /**
     * Records that the store rejected the post because the account is already in debt. The post is retried several
     * times.
     */
    synchronized void refusePost(long now) {
        beingPosted = false;
        refusals++;
        refusedAtMicros = now;
    }

    /** Records that the store could not be reached. */
    synchronized void failPost() {
        beingPosted = false;
    }

    /** Returns whether nothing will ever be posted again. */
    synchronized boolean isDone() {
        return !beingPosted && (refusals >= MOST_REFUSALS || (owed() == 0 && !mayOweLater()));
    }

    /** Returns whether a permit holds a part of the share, which will be owed when the permit is settled. */
    private boolean mayOweLater() {
        return !isConcurrency() && shares.measure(part, (share, now) -> share.held()) > 0;
    }

    /** Frees the slots that were occupied for other nodes. The object must not be used afterwards. */
    synchronized void close() {
        freeSlotsElsewhere();
    }

    /** Returns a charge of cost 0 on the store's account, enforced even if the policy is in shadow mode. */
    synchronized Charge nothing() {
        return inEarnest(whole, whole.settings(), 0);
    }

    /** Returns the charge that posts strikes, which no permit can hold; null if the account is not a lockout. */
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

    /** Returns the amount owed. Nothing is owed for slots, because they are held and not spent. */
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

    /**
     * Returns whether the amount was rounded up. It is if a fraction of a permit has come back to the share's bucket,
     * but not to the untouched bucket, which is full.
     */
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
