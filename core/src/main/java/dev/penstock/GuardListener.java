package dev.penstock;

/** Watches a {@link Guard}. Called on whichever thread noticed; quick, and thread-safe. What it throws is logged. */
@FunctionalInterface
public interface GuardListener {
    void onEvent(GuardEvent event);
}
