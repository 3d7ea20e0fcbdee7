/**
 * Makes decisions visible. {@link dev.penstock.observe.DecisionMeters} counts them for Micrometer, {@link
 * dev.penstock.observe.TopKeys} finds the most frequent keys, and {@link dev.penstock.observe.DecisionLog} writes
 * decisions to a file. Each is a {@link dev.penstock.spi.DecisionListener} that is added to a limiter. None changes or
 * delays a decision. {@link dev.penstock.observe.History} keeps counts by the second.
 *
 * <p>Classes are thread-safe unless they say otherwise.
 */
@NullMarked
package dev.penstock.observe;

import org.jspecify.annotations.NullMarked;
