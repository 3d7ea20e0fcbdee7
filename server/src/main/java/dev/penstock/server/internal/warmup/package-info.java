/**
 * Small clients that send requests to the service itself before it is ready, so that the JVM has compiled the way of a request by
 * the time the first one comes in from outside.
 *
 * <p>Start at {@link dev.penstock.server.internal.warmup.RequestLoop}. They need no library, so that they take little time to load.
 */
@NullMarked
package dev.penstock.server.internal.warmup;

import org.jspecify.annotations.NullMarked;
