/**
 * The benchmark over Redis: its cases, the contenders that take part in them, and the JVM in which a turn is taken.
 *
 * <p>Entry point: {@link dev.penstock.bench.redis.RedisBench}. Everyone is used through the asynchronous API that its own
 * users use, with the same numbers. Deciders are thread-safe; traffic belongs to one caller.
 */
@NullMarked
package dev.penstock.bench.redis;

import org.jspecify.annotations.NullMarked;
