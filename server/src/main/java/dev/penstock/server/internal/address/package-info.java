/**
 * Whom a request is from, where proxies stand between.
 *
 * <p>{@link dev.penstock.server.internal.address.ClientAddress} tells it. Immutable and so thread-safe; nothing here ever asks
 * for a name.
 */
@NullMarked
package dev.penstock.server.internal.address;

import org.jspecify.annotations.NullMarked;
