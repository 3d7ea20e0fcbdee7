/**
 * The service: decisions over HTTP, for any language and any gateway.
 *
 * <p>Everything here is thread-safe unless it says otherwise.
 */
@NullMarked
package dev.penstock.server;

import org.jspecify.annotations.NullMarked;
