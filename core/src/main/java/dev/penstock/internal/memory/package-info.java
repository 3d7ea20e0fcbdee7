/**
 * The parts of the memory engine: accounts in a table that is read without locks, and permits.
 *
 * <p>{@link dev.penstock.engine.MemoryEngine} is the entry. How the table keeps decisions cheap and memory bounded is told in
 * {@link dev.penstock.internal.memory.Accounts}.
 */
@NullMarked
package dev.penstock.internal.memory;

import org.jspecify.annotations.NullMarked;
