/**
 * The HTTP APIs. They translate requests and decisions and decide nothing themselves.
 *
 * <p>Every service is thread-safe and never blocks its event loop.
 */
@NullMarked
package dev.penstock.server.internal.http;

import org.jspecify.annotations.NullMarked;
