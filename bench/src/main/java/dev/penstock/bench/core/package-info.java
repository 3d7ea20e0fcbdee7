/**
 * The core's benchmark: one class per case, and the contenders.
 *
 * <p>Entry point: {@link dev.penstock.bench.core.CoreBench}. Every contender is used through its public API, with the
 * same numbers. Contenders are thread-safe; keys and outcomes belong to one thread.
 */
@NullMarked
package dev.penstock.bench.core;

import org.jspecify.annotations.NullMarked;
