/**
 * The admin API: the services under {@code /admin} and the audit log of their changes.
 *
 * <p>Every service is thread-safe and never blocks its event loop.
 */
@NullMarked
package dev.penstock.server.internal.admin;

import org.jspecify.annotations.NullMarked;
