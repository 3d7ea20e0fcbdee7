/**
 * Small clients that send requests to the service itself before it is ready, so that the JVM has compiled the request
 * path by the time the first real request arrives.
 *
 * <p>Start at {@link dev.penstock.server.internal.warmup.RequestLoop}. These clients use no library, so that they load
 * quickly.
 */
@NullMarked
package dev.penstock.server.internal.warmup;

import org.jspecify.annotations.NullMarked;
