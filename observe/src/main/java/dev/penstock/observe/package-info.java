/**
 * Decisions made visible: {@link dev.penstock.observe.DecisionMeters} counts them for Micrometer, {@link
 * dev.penstock.observe.TopKeys} knows who asks most, and {@link dev.penstock.observe.DecisionLog} writes down what was decided. Each is a {@link dev.penstock.spi.DecisionListener} that a
 * limiter is built with; none changes a decision, and none makes one wait. {@link dev.penstock.observe.History} keeps by the second what was counted.
 *
 * <p>Classes are thread-safe unless they say otherwise.
 */
@NullMarked
package dev.penstock.observe;

import org.jspecify.annotations.NullMarked;
