/**
 * The input of all benchmarks: the numbers of limits, keys, and random draws of them.
 *
 * <p>Entry point: {@link dev.penstock.bench.load.LoadRate}. Rates are immutable; keys and draws belong to one thread.
 */
@NullMarked
package dev.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
