/**
 * The benchmark over Redis: its cases, the contenders, and the JVM that runs a turn.
 *
 * <p>Entry point: {@link dev.penstock.bench.redis.RedisBench}. Every contender is used through its asynchronous API,
 * with the same numbers. Deciders are thread-safe; traffic belongs to one caller.
 */
@NullMarked
package dev.penstock.bench.redis;

import org.jspecify.annotations.NullMarked;
