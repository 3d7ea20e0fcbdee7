/**
 * Benchmarks that compare with other libraries in the same run. Never published.
 *
 * <p>Entry point: {@link dev.penstock.bench.BenchMain}. Each benchmark has its own package; {@code harness} runs them
 * and shows their results. Not thread-safe, except for the contenders.
 */
@NullMarked
package dev.penstock.bench;

import org.jspecify.annotations.NullMarked;
