package dev.penstock.internal.memory;

import dev.penstock.spi.PermitHandle;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The permits that a memory engine issued, with their ids. Thread-safe. */
final class Permits {
    private static final int ID_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final Accounts accounts;
    private final ExpiringMap<HeldPermit> permits;
    private final PermitShares shares;
    private final String prefix;
    private final long rememberMicros;

    Permits(String engineName, Accounts accounts, int most, long rememberMicros) {
        this.accounts = accounts;
        this.prefix = engineName + "-";
        this.permits = new ExpiringMap<>(most);
        this.shares = new PermitShares(most);
        this.rememberMicros = rememberMicros;
    }

    /**
     * Returns whether there is room for another permit of these accounts. Permits that have ended are forgotten early
     * to make room.
     */
    boolean haveRoom(Set<?> accountsOfPermit, long nowMicros) {
        return permits.makeRoom(nowMicros) && shares.haveRoom(accountsOfPermit, nowMicros);
    }

    /** Returns an id that nobody can guess, because anybody who knows the id can settle the permit. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return prefix + HexFormat.of().formatHex(bytes);
    }

    /** Returns whether the id has the form of {@link #newId}. */
    boolean mayHaveIssued(String id) {
        return id.length() == prefix.length() + 2 * ID_BYTES
                && id.startsWith(prefix)
                && id.chars().skip(prefix.length()).allMatch(HexFormat::isHexDigit);
    }

    /** Issues a permit that counts in these accounts. */
    PermitHandle issue(
            String id, Set<?> accountsOfPermit, List<HeldPermit.Item> items, long ttlMicros, long nowMicros) {
        PermitShares.Listing listing = shares.list(accountsOfPermit, nowMicros + ttlMicros);
        permits.addIfAbsent(
                new HeldPermit(id, accounts, items, ttlMicros, rememberMicros, listing, nowMicros), nowMicros);
        return new PermitHandle(id, Instant.EPOCH.plus(nowMicros + ttlMicros, ChronoUnit.MICROS));
    }

    /** Creates a permit that cannot be found by an id and is not counted. */
    HeldPermit reserve(List<HeldPermit.Item> items, long ttlMicros, long nowMicros) {
        return new HeldPermit(HeldPermit.NAMELESS, accounts, items, ttlMicros, rememberMicros, null, nowMicros);
    }

    /** Returns whether the permit has neither ended nor expired. */
    boolean isLive(String id, long nowMicros) {
        HeldPermit permit = permits.get(id, nowMicros);
        return permit != null && !permit.isSpare(nowMicros);
    }

    @Nullable
    HeldPermit find(String id, long nowMicros) {
        return permits.get(id, nowMicros);
    }
}
