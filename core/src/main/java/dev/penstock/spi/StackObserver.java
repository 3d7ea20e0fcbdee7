package dev.penstock.spi;

import dev.penstock.engine.EngineStack;
import dev.penstock.engine.StoreOutageListener;
import java.util.List;

/**
 * Watches everything that a stack of engines does, such as for metrics: one object for {@code Penstock.Builder.observer}.
 *
 * <p>Implementations are thread-safe, and their callbacks return at once.
 */
public interface StackObserver {
    /** The listener for trips to the store. */
    default TripListener trips() {
        return TripListener.NONE;
    }

    /** The listener for new keys in the store. */
    default NewKeyListener newKeys() {
        return NewKeyListener.NONE;
    }

    /** The listener for outages of the store. */
    default StoreOutageListener outages() {
        return event -> {};
    }

    /** The listeners for decisions. */
    default List<DecisionListener> decisions() {
        return List.of();
    }

    /** Called once, when the stack is built and before it decides. */
    default void onBuilt(EngineStack stack) {}

    /** Returns an engine that watches this one, or the engine itself. */
    default Engine around(Engine engine) {
        return engine;
    }
}
