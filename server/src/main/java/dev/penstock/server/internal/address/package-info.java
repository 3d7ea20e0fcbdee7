/**
 * Finds the client's address behind proxies.
 *
 * <p>Start at {@link dev.penstock.server.internal.address.ClientAddress}. Immutable and therefore thread-safe; nothing
 * here looks up host names.
 */
@NullMarked
package dev.penstock.server.internal.address;

import org.jspecify.annotations.NullMarked;
