/**
 * The pages for browsers, and the OpenAPI description behind the API documentation. The pages load nothing from
 * elsewhere.
 *
 * <p>{@link dev.penstock.server.internal.web.WebPages} serves the pages of the main port, {@link
 * dev.penstock.server.internal.web.ConsolePages} the console on the admin port.
 */
@NullMarked
package dev.penstock.server.internal.web;

import org.jspecify.annotations.NullMarked;
