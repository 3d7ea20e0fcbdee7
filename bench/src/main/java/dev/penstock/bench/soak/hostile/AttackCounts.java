package dev.penstock.bench.soak.hostile;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts what an attack sent and how the services responded. Thread-safe. */
final class AttackCounts {
    private static final int LONGEST_TEXT = 300;

    private final LongAdder turns = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder stored = new LongAdder();
    private final LongAdder unexpected = new LongAdder();
    private final AtomicReference<@Nullable String> firstUnexpected = new AtomicReference<>();

    void turn() {
        turns.increment();
    }

    /** The service answered as documented. */
    void answered() {
        answered.increment();
    }

    /** The service closed the connection. */
    void cut() {
        cut.increment();
    }

    /** The service reported that it, or Redis, is overloaded or too slow. This is documented but unwanted. */
    void busy() {
        busy.increment();
    }

    /** Redis may keep this many more records. */
    void stored(long records) {
        stored.add(records);
    }

    /** The service responded in an undocumented way. */
    void unexpected(String what) {
        String shown = what.length() <= LONGEST_TEXT ? what : what.substring(0, LONGEST_TEXT);
        firstUnexpected.compareAndSet(null, shown.replaceAll("\\s+", " "));
        unexpected.increment();
    }

    Totals totals() {
        return new Totals(
                turns.sum(),
                answered.sum(),
                cut.sum(),
                busy.sum(),
                stored.sum(),
                unexpected.sum(),
                firstUnexpected.get());
    }

    /**
     * The counts at one time.
     *
     * @param turns rounds of the attack
     * @param answered documented answers
     * @param cut connections that the service closed
     * @param busy answers that report overload or slowness
     * @param stored records that Redis may keep
     * @param unexpected undocumented or missing answers
     */
    record Totals(
            long turns,
            long answered,
            long cut,
            long busy,
            long stored,
            long unexpected,
            @Nullable String firstUnexpected) {}
}
