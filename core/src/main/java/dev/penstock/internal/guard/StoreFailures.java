package dev.penstock.internal.guard;

import dev.penstock.Guard;
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
 * Passes on to the breaker what counts as evidence for or against the store, and logs what failed.
 *
 * <p>Evidence are the trips that the engine reports. Where it reports none, its replies are: then a reply that misses the
 * guard's own deadline is a late trip. A caller's own timeout is never evidence, nor is an ask that was not sent, nor a
 * store that rejects one key, nor a replica that is late. Thread-safe and bounded: each failure and each rejected key is logged once, and no more than
 * {@value #MOST_LOGGED} of them.
 */
public final class StoreFailures implements TripObserver {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final int MOST_LOGGED = 1_000;
    private static final int DEEPEST_CAUSE = 10;
    private static final int LONGEST_REASON = 200;

    private final CircuitBreaker breaker;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final LongAdder late = new LongAdder();
    private volatile boolean tripsAreReported;
    private volatile String last = "nothing failed yet";

    public StoreFailures(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    /** Takes the trips of this store as evidence, if it reports them. */
    public void observe(Engine store, Duration lateAfter) {
        tripsAreReported = store.observeTrips(lateAfter, this);
    }

    /** Whether the store's engine reports its trips, so that replies say nothing more about the store. */
    public boolean areTripsReported() {
        return tripsAreReported;
    }

    /** How many trips were late. */
    public long late() {
        return late.sum();
    }

    /** What the last failure said, in one line. */
    public String last() {
        return last;
    }

    @Override
    public void answered(String shard) {
        breaker.answered();
    }

    @Override
    public void late(String shard) {
        late.increment();
        last = "no answer within the deadline";
        breaker.failed();
    }

    @Override
    public void failed(String shard, Throwable failure) {
        last = reason(failure);
        logOnce(Level.WARNING, "a trip to the store failed: {0}{1}", last);
        breaker.failed();
    }

    /** A reply of the store came in time. */
    public void replied() {
        if (!tripsAreReported) {
            breaker.answered();
        }
    }

    /** A reply failed, or did not come by the guard's deadline: then the failure is null. */
    public void note(@Nullable Throwable failure) {
        StoreRefused refused = StoreRefused.in(failure);
        ReplicasMissing missing = ReplicasMissing.in(failure);
        if (missing != null) {
            logOnce(
                    Level.ERROR,
                    "replicas did not confirm a charge, so failure modes decide for it: {0}{1}",
                    String.valueOf(missing.getMessage()));
            replied();
        } else if (refused != null) {
            logOnce(
                    Level.ERROR,
                    "the store rejects a key, so failure modes decide for it: {0}{1}",
                    String.valueOf(refused.getMessage()));
            replied();
        } else if (!tripsAreReported && NotCharged.reasonOf(failure) != NotCharged.Reason.OVERDUE) {
            if (failure == null) {
                late("");
            } else {
                failed("", failure);
            }
        }
    }

    private void logOnce(Level level, String text, String what) {
        if (logged.size() < MOST_LOGGED && logged.add(what)) {
            LOG.log(level, text, what, logged.size() < MOST_LOGGED ? "" : "; further ones are not logged");
        }
    }

    /** What the innermost cause said: those around it only say that something failed. */
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
