/**
 * The parts of the guard: the breaker that keeps away from a dead store, the deadlines, and what stands in meanwhile.
 *
 * <p>{@link dev.penstock.engine.Guard} is the entry. Everything here is thread-safe and has no thread of its own.
 */
@NullMarked
package dev.penstock.internal.guard;

import org.jspecify.annotations.NullMarked;
