package dev.penstock.internal.memory;

import dev.penstock.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an ask whose charges are held until the rest of its request is decided elsewhere.
 *
 * @param reservation null if nothing is held
 */
public record ReservedDecision(Decision decision, @Nullable Reservation reservation) {}
