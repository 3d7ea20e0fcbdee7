/**
 * {@code penstock bench steady}: drives real service processes at default settings, cold, under full load and through
 * faults, and counts denials that nobody earned, fallback and overload.
 *
 * <p>Entry point: {@link dev.penstock.bench.steady.SteadyBench}. The load generator runs on one event loop; everything
 * else belongs to the thread that runs the benchmark unless a class says otherwise.
 */
@NullMarked
package dev.penstock.bench.steady;

import org.jspecify.annotations.NullMarked;
