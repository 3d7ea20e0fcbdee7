package dev.penstock.engine;

/** Watches a {@link Guard}. Called on whichever thread noticed; quick, and thread-safe. What it throws is logged. */
@FunctionalInterface
public interface StoreOutageListener {
    void onEvent(StoreOutageEvent event);
}
