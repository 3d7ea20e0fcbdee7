/**
 * Which requests something is about: conditions on attributes, and an index that finds those that hold without asking all.
 *
 * <p>Immutable once built, and so thread-safe; a {@link dev.penstock.policy.internal.match.Subject} is for one request.
 */
@NullMarked
package dev.penstock.policy.internal.match;

import org.jspecify.annotations.NullMarked;
