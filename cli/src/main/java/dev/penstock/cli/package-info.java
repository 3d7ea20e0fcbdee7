/**
 * The commands. Each is an adapter from the command line to the policies and makes no decisions of its own.
 *
 * <p>{@link dev.penstock.cli.PenstockMain} is the entry point. A process runs one command, in one thread.
 */
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
