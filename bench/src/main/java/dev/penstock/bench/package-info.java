/**
 * Benchmarks against peers in the same run; never published.
 *
 * <p>Entry point: {@link dev.penstock.bench.BenchMain}. What is measured is in a package of its own for each
 * sub-command; how it is run and shown is in {@code harness}. Not thread-safe, but for the contenders.
 */
@NullMarked
package dev.penstock.bench;

import org.jspecify.annotations.NullMarked;
