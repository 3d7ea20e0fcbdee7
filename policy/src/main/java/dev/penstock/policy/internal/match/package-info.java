/**
 * Conditions on request attributes, and an index that finds the matching ones without evaluating all of them.
 *
 * <p>Immutable once built, and therefore thread-safe. A {@link dev.penstock.policy.internal.match.Subject} is for one
 * request.
 */
@NullMarked
package dev.penstock.policy.internal.match;

import org.jspecify.annotations.NullMarked;
