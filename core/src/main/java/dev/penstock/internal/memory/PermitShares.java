package dev.penstock.internal.memory;

import dev.penstock.spi.Ask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the live permits of each account, so that one caller cannot use up the room of all others. Thread-safe.
 *
 * <p>A permit counts in every account that it charges. Another permit is denied only if each of its accounts has used
 * up its share. So the account with the fewest permits identifies the caller, and a key that many callers share counts
 * against none of them. Threads that ask at the same time may each exceed a share by one permit.
 *
 * <p>There is no background work. A check for room drops the expired permits of the account, earliest first. The others
 * are dropped when the engine forgets them, so the number of listed permits never exceeds the number of remembered
 * ones.
 */
final class PermitShares {
    /** One caller gets this fraction of the maximum: a quarter. */
    private static final int PARTS = 4;

    /** A smaller maximum is not divided, because a quarter of it would be too little to work with. */
    private static final int LEAST_DIVIDED = 16;

    private static final int MOST_LOOKS = 64;

    /** Replaces the account for permits that charge nothing. */
    private static final Set<Object> NO_ACCOUNT = Set.of("");

    /** A permit in the list of one account. Its time changes only while the account's list is locked. */
    private static final class Place {
        private final Object account;
        private final Listing listing;
        private long expiryMicros;

        Place(Object account, Listing listing) {
            this.account = account;
            this.listing = listing;
            this.expiryMicros = listing.expiryMicros;
        }
    }

    /** The entries of one permit in the lists of all its accounts. */
    static final class Listing {
        private final PermitShares shares;
        private final long number;
        private final List<Place> places = new ArrayList<>();
        private volatile long expiryMicros;

        private Listing(PermitShares shares, long number, long expiryMicros) {
            this.shares = shares;
            this.number = number;
            this.expiryMicros = expiryMicros;
        }

        /**
         * Records that the permit was renewed. The lists of its accounts are updated when its former expiry has passed.
         */
        void liveUntil(long micros) {
            expiryMicros = micros;
        }

        /** Removes the permit from all lists. Further calls change nothing. */
        void end() {
            places.forEach(shares::remove);
        }
    }

    private final Map<Object, NavigableSet<Place>> byAccount = new ConcurrentHashMap<>();
    private final AtomicLong listed = new AtomicLong();
    private final int share;

    /** @param most the maximum number of permits in total */
    PermitShares(int most) {
        this.share = most < LEAST_DIVIDED ? most : most / PARTS;
    }

    /**
     * Returns the accounts in which a permit of the ask counts: those of its enforced charges, or of all charges if
     * none is enforced.
     */
    static Set<?> accountsOf(Ask ask, AccountAddress[] addresses) {
        Set<Object> enforced = new LinkedHashSet<>();
        for (int i = 0; i < addresses.length; i++) {
            if (ask.charge(i).isEnforced()) {
                enforced.add(addresses[i]);
            }
        }
        if (!enforced.isEmpty()) {
            return enforced;
        }
        return addresses.length == 0 ? NO_ACCOUNT : new LinkedHashSet<>(List.of(addresses));
    }

    /** Returns whether one of the accounts has not used up its share. */
    boolean haveRoom(Set<?> accounts, long nowMicros) {
        for (Object account : accounts) {
            if (count(account, nowMicros) < share) {
                return true;
            }
        }
        return false;
    }

    /** Adds a permit to the lists of these accounts. */
    Listing list(Set<?> accounts, long expiryMicros) {
        Listing listing = new Listing(this, listed.incrementAndGet(), expiryMicros);
        for (Object account : accounts) {
            Place place = new Place(account, listing);
            listing.places.add(place);
            byAccount.compute(account, (same, there) -> {
                NavigableSet<Place> places = there == null ? new TreeSet<>(PermitShares::byExpiry) : there;
                places.add(place);
                return places;
            });
        }
        return listing;
    }

    private void remove(Place place) {
        byAccount.computeIfPresent(place.account, (same, places) -> {
            places.remove(place);
            return orNull(places);
        });
    }

    private int count(Object account, long nowMicros) {
        int[] count = {0};
        byAccount.computeIfPresent(account, (same, places) -> {
            dropExpired(places, nowMicros);
            count[0] = places.size();
            return orNull(places);
        });
        return count[0];
    }

    /** Drops a limited number of expired permits. Dropping one is enough to make room. */
    private static void dropExpired(NavigableSet<Place> places, long nowMicros) {
        for (int i = 0; i < MOST_LOOKS && !places.isEmpty() && places.first().expiryMicros <= nowMicros; i++) {
            Place first = places.pollFirst();
            if (first != null && first.listing.expiryMicros > nowMicros) { // renewed
                first.expiryMicros = first.listing.expiryMicros;
                places.add(first);
            }
        }
    }

    private static int byExpiry(Place x, Place y) {
        int order = Long.compare(x.expiryMicros, y.expiryMicros);
        return order == 0 ? Long.compare(x.listing.number, y.listing.number) : order;
    }

    /** Returns the value to keep in the map, which has no entry for an account without permits. */
    private static @Nullable NavigableSet<Place> orNull(NavigableSet<Place> places) {
        return places.isEmpty() ? null : places;
    }
}
