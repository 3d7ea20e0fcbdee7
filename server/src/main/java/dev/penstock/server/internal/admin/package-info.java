/**
 * What those who run the service ask of it over HTTP, and the log of what they change.
 *
 * <p>Every service is thread-safe and never blocks its event loop.
 */
@NullMarked
package dev.penstock.server.internal.admin;

import org.jspecify.annotations.NullMarked;
