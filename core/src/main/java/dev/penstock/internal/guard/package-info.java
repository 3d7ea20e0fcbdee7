/**
 * The parts of the guard: circuit breakers, deadlines, fallback decisions, and the posting of their charges after an
 * outage.
 *
 * <p>{@link dev.penstock.engine.Guard} is the entry point. No class here has a thread. All are thread-safe unless they
 * say otherwise.
 */
@NullMarked
package dev.penstock.internal.guard;

import org.jspecify.annotations.NullMarked;
