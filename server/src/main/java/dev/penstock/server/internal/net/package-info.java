/**
 * Ports: what a connection may take up, who is cut, TLS and the renewal of its certificate, and what is answered where a
 * request does not get as far as a service.
 *
 * <p>Start at {@link dev.penstock.server.internal.net.Port}. All classes are thread-safe unless they say otherwise.
 */
@NullMarked
package dev.penstock.server.internal.net;

import org.jspecify.annotations.NullMarked;
