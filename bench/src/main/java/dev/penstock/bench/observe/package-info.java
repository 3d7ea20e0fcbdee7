/**
 * The benchmark {@code observe}: what it costs that decisions are watched, and how right the hot keys are.
 *
 * <p>Entry point: {@link dev.penstock.bench.observe.ObserveBench}. What is shared by threads is thread-safe.
 */
@NullMarked
package dev.penstock.bench.observe;

import org.jspecify.annotations.NullMarked;
