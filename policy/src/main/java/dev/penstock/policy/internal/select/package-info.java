/**
 * Policies ready for use: what a request is charged, worked out with as little as possible for each.
 *
 * <p>Start at {@link dev.penstock.policy.internal.select.Selector}. Immutable, and so thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.select;

import org.jspecify.annotations.NullMarked;
