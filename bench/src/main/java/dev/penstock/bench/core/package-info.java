/**
 * The core's benchmark: one class for each case, and the contenders that take part in them.
 *
 * <p>Entry point: {@link dev.penstock.bench.core.CoreBench}. Everyone is used through the public API that its own users
 * use, with the same numbers. Contenders are thread-safe; keys and outcomes belong to one thread.
 */
@NullMarked
package dev.penstock.bench.core;

import org.jspecify.annotations.NullMarked;
