/**
 * Runs benchmarks and shows the results: forked JVMs in turn, scores, ratios, the table and the JSON file.
 *
 * <p>Entry point: {@link dev.penstock.bench.harness.BenchCommand}. Not thread-safe.
 */
@NullMarked
package dev.penstock.bench.harness;

import org.jspecify.annotations.NullMarked;
