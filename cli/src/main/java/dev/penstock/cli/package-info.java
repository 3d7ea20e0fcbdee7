/**
 * The commands: each is an adapter from the command line to the policies, and decides nothing.
 *
 * <p>{@link dev.penstock.cli.PenstockMain} starts here. One command runs in a process, in one thread.
 */
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
