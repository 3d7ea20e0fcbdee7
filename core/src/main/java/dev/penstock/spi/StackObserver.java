package dev.penstock.spi;

import dev.penstock.engine.EngineStack;
import dev.penstock.engine.StoreOutageListener;
import java.util.List;

/**
 * Observes everything that a stack of engines does, for example for metrics. Passed to {@code
 * Penstock.Builder.observer}.
 *
 * <p>Implementations are thread-safe, and their callbacks return at once.
 */
public interface StackObserver {
    /** Returns the listener for round trips to the store. */
    default TripListener trips() {
        return TripListener.NONE;
    }

    /** Returns the listener for new keys in the store. */
    default NewKeyListener newKeys() {
        return NewKeyListener.NONE;
    }

    /** Returns the listener for outages of the store. */
    default StoreOutageListener outages() {
        return event -> {};
    }

    /** Returns the listeners for decisions. */
    default List<DecisionListener> decisions() {
        return List.of();
    }

    /** Called once, after the stack is built and before it decides anything. */
    default void onBuilt(EngineStack stack) {}

    /** Returns an engine that observes this one, or the engine itself. */
    default Engine around(Engine engine) {
        return engine;
    }
}
