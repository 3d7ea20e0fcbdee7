package dev.penstock.spi;

import dev.penstock.Decision;
import dev.penstock.Request;

/**
 * Watches decisions; changes nothing.
 *
 * <p>Called on the thread that got the decision, after it was made and with no lock held, so it should be quick. What it
 * throws is logged and goes no further.
 */
@FunctionalInterface
public interface DecisionListener {
    void onDecision(Request request, Decision decision);
}
