package dev.penstock.engine;

/**
 * Receives the outage events of a {@link Guard}. Called on the thread that noticed the event, so it must be thread-safe
 * and return quickly. Exceptions are logged.
 */
@FunctionalInterface
public interface StoreOutageListener {
    /** Called after each event. */
    void onEvent(StoreOutageEvent event);
}
