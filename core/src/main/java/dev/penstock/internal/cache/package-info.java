/**
 * What is decided without a trip: the parts of the deny cache, which remembers the last denial of each account and what
 * that still proves, and of the first layer in the process.
 *
 * <p>{@link dev.penstock.engine.DenyCache} and {@link dev.penstock.engine.LocalFirst} are the entries.
 * {@link dev.penstock.internal.cache.DenialTable} is thread-safe; everything else here is immutable.
 */
@NullMarked
package dev.penstock.internal.cache;

import org.jspecify.annotations.NullMarked;
