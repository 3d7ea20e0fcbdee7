/**
 * The engine whose state many nodes share in Redis: {@link dev.penstock.redis.RedisEngine}.
 *
 * <p>The arithmetic is in Lua scripts, which are resources next to this package's classes. The classes here only call
 * them.
 */
@NullMarked
package dev.penstock.redis;

import org.jspecify.annotations.NullMarked;
