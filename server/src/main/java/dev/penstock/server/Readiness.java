package dev.penstock.server;

import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import org.jspecify.annotations.Nullable;

/** Whether requests are to be sent to this node: not while it warms up, and not once it drains. Thread-safe. */
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

    /** The warm-up is over: ready, unless it drains already. */
    synchronized void warmedUp() {
        if (state == State.WARMING_UP) {
            state = State.READY;
            checker.setHealthy(true);
        }
    }

    /** Not ready any more. */
    synchronized void drain() {
        state = State.ENDING;
        checker.setHealthy(false);
    }

    /** What health checks look at. */
    ListenableHealthChecker checker() {
        return checker;
    }

    /** One word for the state: {@code warming up}, {@code ready} or {@code ending}. */
    synchronized String word() {
        return state.word;
    }

    /** Why it is not ready; null if it is. */
    synchronized @Nullable String reason() {
        return switch (state) {
            case WARMING_UP -> "warming up";
            case READY -> null;
            case ENDING -> "the service ends: it finishes what is under way";
        };
    }
}
