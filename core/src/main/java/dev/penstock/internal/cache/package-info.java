/**
 * What is decided without a trip: the parts of the deny cache, which remembers the last denial of each account and what
 * that still proves, and of the first layer in the process.
 *
 * <p>{@link dev.penstock.DenyCache} and {@link dev.penstock.LocalFirst} are the entries.
 * {@link dev.penstock.internal.cache.Denials} is thread-safe; everything else here is immutable.
 */
@NullMarked
package dev.penstock.internal.cache;

import org.jspecify.annotations.NullMarked;
