/**
 * Counts, durations, times and rates as people write them in policies, and "did you mean". Settings and commands use
 * the same parsers.
 *
 * <p>Entry points: the {@code parse} methods, such as {@link dev.penstock.policy.text.DurationText#parse}. They throw
 * {@link dev.penstock.policy.text.Unexpected}, whose message says what was expected. Stateless and therefore
 * thread-safe.
 */
@NullMarked
package dev.penstock.policy.text;

import org.jspecify.annotations.NullMarked;
