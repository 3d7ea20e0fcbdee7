/**
 * Policies ready for use. Selects the charges of a request with as little work as possible per request.
 *
 * <p>Start at {@link dev.penstock.policy.internal.select.Selector}. Immutable and therefore thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.select;

import org.jspecify.annotations.NullMarked;
