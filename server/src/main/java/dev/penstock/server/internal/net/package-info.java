/**
 * Ports: bounds on connections, cutting of clients that exceed them, TLS and the renewal of its certificate, and
 * answers to requests that do not reach a service.
 *
 * <p>Start at {@link dev.penstock.server.internal.net.Port}. All classes are thread-safe unless they say otherwise.
 */
@NullMarked
package dev.penstock.server.internal.net;

import org.jspecify.annotations.NullMarked;
