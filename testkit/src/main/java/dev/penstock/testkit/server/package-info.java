/**
 * Real servers for tests, and the faults that they meet: killed, paused, cut off.
 *
 * <p>{@link dev.penstock.testkit.server.RedisServer} starts one process and is the entry point. All types are
 * thread-safe; whoever starts a server closes it, and what is left when the JVM ends is ended with it.
 */
@NullMarked
package dev.penstock.testkit.server;

import org.jspecify.annotations.NullMarked;
