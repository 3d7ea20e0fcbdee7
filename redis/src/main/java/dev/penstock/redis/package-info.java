/**
 * The engine whose state many nodes share in Redis: {@link dev.penstock.redis.RedisEngine}.
 *
 * <p>The arithmetic is in Lua scripts, next to this package's classes among the resources; here is only how they are called.
 */
@NullMarked
package dev.penstock.redis;

import org.jspecify.annotations.NullMarked;
