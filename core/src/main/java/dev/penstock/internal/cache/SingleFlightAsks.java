package dev.penstock.internal.cache;

import dev.penstock.internal.AccountName;
import dev.penstock.internal.BoundedMap;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Accounts of which the store denied a charge lately, and whose permits are far between: of all asks for such a one that
 * come at the same time only one goes to the store, and the others wait for what it finds. So the many that come while
 * a denial has just run out do not all go. Bounded and thread-safe.
 */
public final class SingleFlightAsks {
    /** Where permits come sooner than this, waiting for others would hold up those who could have had one. */
    private static final long LEAST_WAIT_MICROS = 5_000;

    /** An account is watched for so many times the wait that it was denied for. */
    private static final long WATCHED_TIMES = 16;

    /**
     * How far the store's clock is ahead of the one here, at most. Immutable.
     *
     * @param mostMicros as it was seen: the store's time, less that at which the ask was sent
     * @param atMicros when, by the clock here
     */
    private record Lead(long mostMicros, long atMicros) {
        /** The most that it can be by now. */
        long mostMicros(long nowMicros) {
            return mostMicros + CachedDenial.drift(nowMicros - atMicros);
        }

        /** Whether it can still be believed: it is not old, and what is seen now, that least, does not show that a clock was set. */
        boolean holds(long leastMicros, long nowMicros) {
            long age = nowMicros - atMicros;
            return age >= 0 && age <= CachedDenial.LONGEST_MICROS && mostMicros(nowMicros) >= leastMicros;
        }
    }

    /** One account. */
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
         * The latest time, by the clock here, at which the store's cannot have been beyond that at which it answered: when
         * the ask was sent, or later, if others got there faster.
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

        /** Nobody waits for anybody any more, until the store denies again. */
        public void leave() {
            untilMicros = fromMicros;
        }

        /** Whether three quarters of the patience have room for a scout's way and one's own, after what has passed of it. */
        public boolean isWorthWaiting(Duration patience, long passedMicros) {
            long most = patience.toNanos() / 4_000 * 3;
            return passedMicros + 2 * tookMicros <= most;
        }

        /** Null where the caller's own is now the scout; else the one that is under way: whether the store answered it. */
        public @Nullable CompletableFuture<Boolean> begin(CompletableFuture<Boolean> own) {
            CompletableFuture<Boolean> other;
            do {
                other = scout.get();
            } while (other == null && !scout.compareAndSet(null, own));
            return other;
        }

        /** Lets those go on who wait for it. */
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

    /** Notes that the store denied a charge of the account for so long; null where it need not be watched for that. */
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

    /** The first of these accounts that is watched; null if none is. */
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
