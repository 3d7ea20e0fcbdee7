/**
 * Real servers for tests, and their faults: killed, paused, cut off.
 *
 * <p>{@link dev.penstock.testkit.server.RedisServer} starts one process and is the entry point. All types are
 * thread-safe. Close each server that you start. Those still running when the JVM ends are stopped with it.
 */
@NullMarked
package dev.penstock.testkit.server;

import org.jspecify.annotations.NullMarked;
