/**
 * Penstock's API: what an application types to limit something.
 *
 * <p>Start at {@link dev.penstock.Limiter}: it matches a {@link dev.penstock.Request} against
 * {@linkplain dev.penstock.Policy policies} and asks an engine, by default {@link dev.penstock.engine.MemoryEngine}, for one
 * {@link dev.penstock.Decision} over all limits. Everything here is immutable or thread-safe unless it says otherwise.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
