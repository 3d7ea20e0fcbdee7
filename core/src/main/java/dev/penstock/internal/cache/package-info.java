/**
 * What the deny cache remembers: the last denial of each account, and what it still proves.
 *
 * <p>{@link dev.penstock.DenyCache} is the entry. {@link dev.penstock.internal.cache.Denials} is thread-safe; everything
 * else here is immutable.
 */
@NullMarked
package dev.penstock.internal.cache;

import org.jspecify.annotations.NullMarked;
