package dev.penstock.spi;

import dev.penstock.Decision;
import dev.penstock.Request;

/**
 * Receives decisions and changes nothing.
 *
 * <p>Called on the thread that received the decision, with no lock held, so it must return quickly. Exceptions are
 * logged and ignored.
 */
@FunctionalInterface
public interface DecisionListener {
    /** Called after each decision. */
    void onDecision(Request request, Decision decision);
}
