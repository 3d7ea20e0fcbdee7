package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.spi.DecisionListener;
import java.util.function.Predicate;

/** Receives the answers of Envoy's service. Implementations are thread-safe and fast, and do not throw. */
@FunctionalInterface
public interface AnswerListener extends DecisionListener {
    /**
     * Receives one descriptor of a request, if policies decided it.
     *
     * @param descriptor the descriptor as a separate request
     * @param answer the answer to the whole request as one decision
     * @param own accepts the limits of this descriptor
     */
    default void onDescriptor(Request descriptor, Decision answer, Predicate<LimitStatus> own) {}
}
