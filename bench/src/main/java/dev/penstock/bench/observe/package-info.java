/**
 * The benchmark {@code observe}: the cost of metrics and logs, and the accuracy of the hot keys.
 *
 * <p>Entry point: {@link dev.penstock.bench.observe.ObserveBench}. Objects that threads share are thread-safe.
 */
@NullMarked
package dev.penstock.bench.observe;

import org.jspecify.annotations.NullMarked;
