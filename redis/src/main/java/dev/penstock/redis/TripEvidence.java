package dev.penstock.redis;

import dev.penstock.spi.TripObserver;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Reports the outcomes of round trips to the observer that {@linkplain #reportTo asked for them}. Failures of the
 * observer change no answer. Thread-safe.
 */
final class TripEvidence {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());

    /** The time after which a round trip is late if nobody has asked for reports. */
    static final Duration DEFAULT_LATE_AFTER = Duration.ofSeconds(2);

    private record Registration(TripObserver observer, Duration lateAfter) {}

    private static final TripObserver NOBODY = new TripObserver() {
        @Override
        public void answered(String shard) {}

        @Override
        public void late(String shard) {}

        @Override
        public void failed(String shard, Throwable failure) {}
    };

    private volatile Registration reporting = new Registration(NOBODY, DEFAULT_LATE_AFTER);

    void reportTo(TripObserver observer, Duration lateAfter) {
        reporting = new Registration(observer, lateAfter);
    }

    boolean isWanted() {
        return reporting.observer != NOBODY;
    }

    /** Returns how long a round trip may take before it is late. */
    Duration lateAfter() {
        return reporting.lateAfter;
    }

    void answered(String shard) {
        notifyObservers(observer -> observer.answered(shard));
    }

    void late(String shard) {
        notifyObservers(observer -> observer.late(shard));
    }

    void failed(String shard, Throwable failure) {
        notifyObservers(observer -> observer.failed(shard, failure));
    }

    private void notifyObservers(Consumer<TripObserver> report) {
        try {
            report.accept(reporting.observer);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a trip observer failed", e);
        }
    }
}
