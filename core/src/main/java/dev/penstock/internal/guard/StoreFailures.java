package dev.penstock.internal.guard;

import dev.penstock.engine.Guard;
import dev.penstock.spi.Engine;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.ReplicasMissing;
import dev.penstock.spi.StoreRefused;
import dev.penstock.spi.TripObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Passes evidence for or against a shard of the store to its breaker, and logs failures.
 *
 * <p>The evidence is the round trips that the engine reports. If it reports none, the evidence is its replies, and a
 * reply that misses the guard's deadline counts as a late round trip. These are never evidence: a caller's own timeout,
 * an ask that was not sent, a key that the store rejects, and a late replica. Thread-safe and bounded: each failure and
 * each rejected key is logged once, and at most {@value #MOST_LOGGED} of them.
 */
public final class StoreFailures implements TripObserver {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final int MOST_LOGGED = 1_000;
    private static final int DEEPEST_CAUSE = 10;
    private static final int LONGEST_REASON = 200;

    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final LongAdder late = new LongAdder();
    private volatile boolean tripsAreReported;
    private volatile @Nullable ShardTable shards;

    /** Starts to use the round trips of this store, if it reports them, as evidence for or against its shards. */
    public void observe(Engine store, Duration lateAfter, ShardTable ofStore) {
        shards = ofStore;
        tripsAreReported = store.observeTrips(lateAfter, this);
    }

    /** Returns whether the store's engine reports its round trips, so that replies are no further evidence. */
    public boolean areTripsReported() {
        return tripsAreReported;
    }

    /** Returns the number of late round trips. */
    public long late() {
        return late.sum();
    }

    private @Nullable Shard shard(String name) {
        ShardTable present = shards;
        return present == null ? null : present.reported(name);
    }

    @Override
    public void answered(String shard) {
        Shard known = shard(shard);
        if (known != null) {
            known.answered();
        }
    }

    @Override
    public void late(String shard) {
        late.increment();
        Shard known = shard(shard);
        if (known != null) {
            known.failed("no answer within the deadline");
        }
    }

    @Override
    public void failed(String shard, Throwable failure) {
        String reason = reason(failure);
        logOnce(Level.WARNING, "a round trip to the store failed: {0}{1}", reason);
        Shard known = shard(shard);
        if (known != null) {
            known.failed(reason);
        }
    }

    /** Records a reply of the store that came in time. */
    public void replied() {
        if (!tripsAreReported) {
            answered(Shard.WHOLE);
        }
    }

    /** Records a reply that failed. The failure is null if no reply came by the guard's deadline. */
    public void note(@Nullable Throwable failure) {
        StoreRefused refused = StoreRefused.in(failure);
        ReplicasMissing missing = ReplicasMissing.in(failure);
        if (missing != null) {
            logOnce(
                    Level.ERROR,
                    "replicas did not acknowledge a charge, so its failure mode decides: {0}{1}",
                    String.valueOf(missing.getMessage()));
            replied();
        } else if (refused != null) {
            logOnce(
                    Level.ERROR,
                    "the store rejected a key, so its failure mode decides: {0}{1}",
                    String.valueOf(refused.getMessage()));
            replied();
        } else if (!tripsAreReported && NotCharged.reasonOf(failure) != NotCharged.Reason.OVERDUE) {
            if (failure == null) {
                late(Shard.WHOLE);
            } else {
                failed(Shard.WHOLE, failure);
            }
        }
    }

    private void logOnce(Level level, String text, String what) {
        if (logged.size() < MOST_LOGGED && logged.add(what)) {
            LOG.log(level, text, what, logged.size() < MOST_LOGGED ? "" : "; further failures are not logged");
        }
    }

    /** Returns the message of the innermost cause, because the outer ones only say that something failed. */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEEPEST_CAUSE && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        String said = cause.getMessage();
        String line =
                (said == null || said.isBlank() ? cause.getClass().getSimpleName() : said).replaceAll("\\s+", " ");
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
    }
}
