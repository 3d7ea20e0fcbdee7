/**
 * The log of the service, on standard error.
 *
 * <p>Start at {@link dev.penstock.cli.log.ServiceLog}. Thread-safe.
 */
@NullMarked
package dev.penstock.cli.log;

import org.jspecify.annotations.NullMarked;
