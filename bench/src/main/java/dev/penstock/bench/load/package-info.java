/**
 * What everyone is asked, whatever the benchmark: the numbers of limits, keys, and draws of them.
 *
 * <p>Entry point: {@link dev.penstock.bench.load.LoadRate}. Rates are immutable; keys and draws belong to one thread.
 */
@NullMarked
package dev.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
