package dev.penstock.engine;

import dev.penstock.spi.Fleet;
import dev.penstock.spi.Resets;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fleet whose reports are set by a test, or made by the nodes themselves. */
final class ScriptedFleet implements Fleet {
    private final @Nullable ManualClock clock;
    private @Nullable Instant mark;

    Duration markedAgo = Duration.ZERO;
    boolean isFailing;
    int nodes;

    /** Creates a fleet that reports what the test sets. */
    ScriptedFleet() {
        this.clock = null;
    }

    private ScriptedFleet(ManualClock clock) {
        this.clock = clock;
    }

    /** Returns a fleet whose marks are made by the nodes. */
    static ScriptedFleet of(ManualClock clock, int nodes) {
        ScriptedFleet fleet = new ScriptedFleet(clock);
        fleet.nodes = nodes;
        return fleet;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public void onReset(Consumer<Resets> listener) {}

    @Override
    public CompletionStage<Duration> agreeOnReturn(Duration life) {
        if (isFailing) {
            return CompletableFuture.failedStage(new IllegalStateException("cut"));
        }
        if (clock == null) {
            return CompletableFuture.completedStage(markedAgo);
        }
        Instant now = clock.now();
        if (mark == null || !now.isBefore(mark.plus(life))) {
            mark = now;
        }
        return CompletableFuture.completedStage(Duration.between(mark, now));
    }
}
