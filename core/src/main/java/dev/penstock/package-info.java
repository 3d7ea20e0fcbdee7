/**
 * The API: everything that an application needs to limit requests.
 *
 * <p>Start at {@link dev.penstock.Penstock}, which builds a {@link dev.penstock.Limiter}. The limiter matches a {@link
 * dev.penstock.Request} against {@linkplain dev.penstock.Policy policies} and asks an engine for one {@link
 * dev.penstock.Decision} over all limits. Everything here is immutable or thread-safe unless it says otherwise.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
