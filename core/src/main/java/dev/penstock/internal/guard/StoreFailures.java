package dev.penstock.internal.guard;

import dev.penstock.Guard;
import dev.penstock.internal.guard.CircuitBreaker.Passage;
import dev.penstock.spi.StoreRefused;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Tells the breaker of failures of the store, and an operator of refusals, which are one key's own: the store is well then.
 * Thread-safe and bounded: of each key the log tells once, and of no more than {@value #MOST_TOLD}.
 */
public final class StoreFailures {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final int MOST_TOLD = 1_000;

    private final CircuitBreaker breaker;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private final LongAdder late = new LongAdder();

    public StoreFailures(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    /** How often it was silent. */
    public long late() {
        return late.sum();
    }

    /** Notes that it failed, or was silent: then the failure is null. */
    public void note(Passage passage, @Nullable Throwable failure) {
        if (failure == null) {
            late.increment();
        }
        StoreRefused refused = StoreRefused.in(failure);
        if (refused == null) {
            LOG.log(Level.DEBUG, "the store failed", failure);
            breaker.failed(passage);
            return;
        }
        breaker.succeeded(passage);
        String message = String.valueOf(refused.getMessage());
        if (told.size() < MOST_TOLD && told.add(message)) {
            String more = told.size() < MOST_TOLD ? "" : "; of further keys nothing is told";
            LOG.log(Level.ERROR, "the failure modes decide for a key that the store refuses: {0}{1}", message, more);
        }
    }
}
