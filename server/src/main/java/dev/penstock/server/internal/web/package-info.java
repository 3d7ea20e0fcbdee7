/**
 * What people look at in a browser, and the description of the interface that it is drawn from. Nothing is fetched from
 * elsewhere.
 *
 * <p>{@link dev.penstock.server.internal.web.WebPages} serves what is on the main port, {@link
 * dev.penstock.server.internal.web.ConsolePages} the console on the admin port.
 */
@NullMarked
package dev.penstock.server.internal.web;

import org.jspecify.annotations.NullMarked;
