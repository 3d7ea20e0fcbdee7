package dev.penstock.internal.cache;

import dev.penstock.internal.AccountName;
import dev.penstock.internal.BoundedMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Accounts that the store denied recently and whose permits are far apart. If several asks for such an account come at
 * the same time, only one goes to the store, and the others wait for its answer. So the asks that arrive just after a
 * cached denial has expired do not all go to the store. Bounded and thread-safe.
 */
public final class SingleFlightAsks {
    /**
     * If permits come back sooner than this, asks do not wait for one another, because waiting would delay asks that
     * can be allowed.
     */
    private static final long LEAST_WAIT_MICROS = 5_000;

    /** An account is watched for this multiple of the wait for which it was denied. */
    private static final long WATCHED_TIMES = 16;

    /**
     * An upper bound of how far the store's clock is ahead of the local clock. Immutable.
     *
     * @param mostMicros the bound as measured: the store's time minus the time at which the ask was sent
     * @param atMicros when it was measured, by the local clock
     */
    private record Lead(long mostMicros, long atMicros) {
        /** Returns the bound at this time. */
        long mostMicros(long nowMicros) {
            return mostMicros + CachedDenial.drift(nowMicros - atMicros);
        }

        /**
         * Returns whether the bound is still valid: it is not old, and the lead measured now does not exceed it, which
         * would show that a clock was set.
         *
         * @param leastMicros a lower bound of the lead, measured now
         */
        boolean holds(long leastMicros, long nowMicros) {
            long age = nowMicros - atMicros;
            return age >= 0 && age <= CachedDenial.LONGEST_MICROS && mostMicros(nowMicros) >= leastMicros;
        }
    }

    /** An account whose asks wait for one another. */
    public static final class Watched {
        private final AtomicReference<@Nullable CompletableFuture<Boolean>> scout = new AtomicReference<>();
        private volatile long fromMicros;
        private volatile long untilMicros;
        private volatile long tookMicros;
        private volatile @Nullable Lead lead;

        private boolean isOn(long nowMicros) {
            return nowMicros >= fromMicros && nowMicros < untilMicros;
        }

        /**
         * Returns the latest time, by the local clock, at which the store's clock cannot have passed the time of its
         * answer. This is when the ask was sent, or later if earlier asks were faster.
         */
        public long notBeyondMicros(long storeMicros, long sentMicros, long answeredMicros) {
            Lead own = new Lead(storeMicros - sentMicros, sentMicros);
            Lead known = lead;
            if (known == null
                    || !known.holds(storeMicros - answeredMicros, answeredMicros)
                    || known.mostMicros(answeredMicros) >= own.mostMicros) {
                lead = own;
                return sentMicros;
            }
            return storeMicros - known.mostMicros(answeredMicros);
        }

        /** Lets all asks go to the store until it denies again. */
        public void leave() {
            untilMicros = fromMicros;
        }

        /**
         * Returns whether waiting is worthwhile: after the time already passed, three quarters of the timeout must
         * leave room for two round trips, the other ask's and then this one's.
         */
        public boolean isWorthWaiting(Duration timeout, long passedMicros) {
            long most = timeout.toNanos() / 4_000 * 3;
            return passedMicros + 2 * tookMicros <= most;
        }

        /**
         * Makes the caller's ask the one that goes to the store, and returns null. If another ask is already on its
         * way, returns its future, which completes with whether the store answered.
         */
        public @Nullable CompletableFuture<Boolean> begin(CompletableFuture<Boolean> own) {
            CompletableFuture<Boolean> other;
            do {
                other = scout.get();
            } while (other == null && !scout.compareAndSet(null, own));
            return other;
        }

        /** Releases the asks that wait for this one. */
        public void end(CompletableFuture<Boolean> own, boolean answered, long micros) {
            tookMicros = micros;
            scout.compareAndSet(own, null);
            own.complete(answered);
        }
    }

    private final BoundedMap<AccountName, Watched> accounts;

    public SingleFlightAsks(int most) {
        accounts = new BoundedMap<>(most);
    }

    /**
     * Records that the store denied a charge of the account for this time. Returns null if the time is too short to
     * watch the account.
     */
    public @Nullable Watched denied(AccountName account, long waitMicros, long nowMicros) {
        if (waitMicros < LEAST_WAIT_MICROS) {
            return null;
        }
        long longest = Math.min(waitMicros, CachedDenial.LONGEST_MICROS) * WATCHED_TIMES;
        Watched watched = accounts.getOrAdd(account, Watched::new);
        watched.fromMicros = nowMicros;
        watched.untilMicros = nowMicros + longest;
        return watched;
    }

    /** Returns the first of these accounts that is watched, or null if none is. */
    public @Nullable Watched find(AccountName[] all, long nowMicros) {
        if (accounts.isEmpty()) {
            return null;
        }
        for (AccountName account : all) {
            Watched watched = accounts.get(account);
            if (watched != null && watched.isOn(nowMicros)) {
                return watched;
            }
        }
        return null;
    }
}
