package dev.penstock.redis;

import dev.penstock.spi.TripObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Passes on how trips went to whoever {@linkplain #reportTo asked for it}; whatever the observer does changes no answer.
 * Thread-safe.
 */
final class TripEvidence {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());

    /** When a trip is late as long as nobody has asked for reports. */
    static final Duration DEFAULT_LATE_AFTER = Duration.ofSeconds(2);

    private record Reporting(TripObserver observer, Duration lateAfter) {}

    private static final TripObserver NOBODY = new TripObserver() {
        @Override
        public void answered(String shard) {}

        @Override
        public void late(String shard) {}

        @Override
        public void failed(String shard, Throwable failure) {}
    };

    private volatile Reporting reporting = new Reporting(NOBODY, DEFAULT_LATE_AFTER);

    void reportTo(TripObserver observer, Duration lateAfter) {
        reporting = new Reporting(observer, lateAfter);
    }

    boolean isWanted() {
        return reporting.observer != NOBODY;
    }

    /** How long a trip may take before it is late. */
    Duration lateAfter() {
        return reporting.lateAfter;
    }

    void answered(String shard) {
        tell(observer -> observer.answered(shard));
    }

    void late(String shard) {
        tell(observer -> observer.late(shard));
    }

    void failed(String shard, Throwable failure) {
        tell(observer -> observer.failed(shard, failure));
    }

    private void tell(Consumer<TripObserver> report) {
        try {
            report.accept(reporting.observer);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a trip observer failed", e);
        }
    }
}
