package dev.penstock.server;

import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import org.jspecify.annotations.Nullable;

/** Says if requests should be sent to this node: not during the warm-up, and not once it drains. Thread-safe. */
final class Readiness {
    private enum State {
        WARMING_UP("warming up"),
        READY("ready"),
        ENDING("ending");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private final SettableHealthChecker checker = new SettableHealthChecker(false);
    private State state = State.WARMING_UP;

    /** Marks the warm-up as over. The node is ready, unless it drains already. */
    synchronized void warmedUp() {
        if (state == State.WARMING_UP) {
            state = State.READY;
            checker.setHealthy(true);
        }
    }

    /** Marks the node as not ready any more. */
    synchronized void drain() {
        state = State.ENDING;
        checker.setHealthy(false);
    }

    /** Returns the state for health checks. */
    ListenableHealthChecker checker() {
        return checker;
    }

    /** Returns the state in words: {@code warming up}, {@code ready} or {@code ending}. */
    synchronized String word() {
        return state.word;
    }

    /** Returns why the node is not ready, or null if it is ready. */
    synchronized @Nullable String reason() {
        return switch (state) {
            case WARMING_UP -> "warming up";
            case READY -> null;
            case ENDING -> "shutting down: finishing requests in progress";
        };
    }
}
