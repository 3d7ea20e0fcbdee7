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
 * Tells the breaker of failures of the store, and an operator what they said, and of refusals, which are one key's own: the
 * store is well then. Thread-safe and bounded: of each key and each failure the log tells once, and of no more than
 * {@value #MOST_TOLD}.
 */
public final class StoreFailures {
    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final int MOST_TOLD = 1_000;
    private static final int DEEPEST_CAUSE = 10;
    private static final int LONGEST_REASON = 200;

    private final CircuitBreaker breaker;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    private final LongAdder late = new LongAdder();
    private volatile String last = "nothing failed yet";

    public StoreFailures(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    /** How often it was silent. */
    public long late() {
        return late.sum();
    }

    /** What the last failure said, in one line. */
    public String last() {
        return last;
    }

    /** Notes that it failed, or was silent: then the failure is null. */
    public void note(Passage passage, @Nullable Throwable failure) {
        if (failure == null) {
            late.increment();
            last = "no answer in time";
            breaker.failed(passage);
            return;
        }
        StoreRefused refused = StoreRefused.in(failure);
        if (refused == null) {
            last = reason(failure);
            tellOnce(Level.WARNING, "a trip to the store failed: {0}{1}", last);
            breaker.failed(passage);
            return;
        }
        breaker.succeeded(passage);
        tellOnce(
                Level.ERROR,
                "the failure modes decide for a key that the store refuses: {0}{1}",
                String.valueOf(refused.getMessage()));
    }

    private void tellOnce(Level level, String text, String what) {
        if (told.size() < MOST_TOLD && told.add(what)) {
            LOG.log(level, text, what, told.size() < MOST_TOLD ? "" : "; of further ones nothing is told");
        }
    }

    /** What the cause of all said: those around it only say that something failed. */
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
