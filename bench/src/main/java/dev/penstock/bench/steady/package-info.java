/**
 * {@code penstock bench steady}: puts load on real service processes at default settings, cold, under full load and
 * during faults, and counts wrong denials, fallback and overload.
 *
 * <p>Entry point: {@link dev.penstock.bench.steady.SteadyBench}. The load generator runs on one event loop. Everything
 * else belongs to the thread that runs the benchmark unless a class says otherwise.
 */
@NullMarked
package dev.penstock.bench.steady;

import org.jspecify.annotations.NullMarked;
