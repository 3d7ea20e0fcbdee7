/**
 * The parts of the memory engine: accounts in a table that is read without locks, and permits.
 *
 * <p>{@link dev.penstock.engine.MemoryEngine} is the entry point. {@link dev.penstock.internal.memory.Accounts}
 * describes how the table keeps decisions cheap and memory bounded.
 */
@NullMarked
package dev.penstock.internal.memory;

import org.jspecify.annotations.NullMarked;
