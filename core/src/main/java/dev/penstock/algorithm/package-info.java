/**
 * The arithmetic of every algorithm: what becomes of a state, given a limit's numbers, a cost and a time. No I/O, no clock.
 *
 * <p>{@link dev.penstock.algorithm.Rule} is the entry. Integers only; every intermediate value of a decision
 * stays below 2<sup>53</sup>, so that a store whose numbers are doubles can do the same. Rules are immutable and
 * thread-safe; a {@link dev.penstock.algorithm.State} is not: the engine guards it.
 */
@NullMarked
package dev.penstock.algorithm;

import org.jspecify.annotations.NullMarked;
