/**
 * The parts of engines that decide without a round trip: cached denials, the pairs of permits that local limits hold
 * together with the store, and the counts of new keys.
 *
 * <p>The entry points are {@link dev.penstock.engine.DenyCache}, {@link dev.penstock.engine.LocalFirst} and {@link
 * dev.penstock.engine.NewKeyBudget}. Everything here is thread-safe.
 */
@NullMarked
package dev.penstock.internal.cache;

import org.jspecify.annotations.NullMarked;
