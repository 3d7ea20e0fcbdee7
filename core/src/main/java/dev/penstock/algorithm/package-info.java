/**
 * The arithmetic of every algorithm: the state after a decision, given a limit's numbers, a cost and a time. No I/O, no
 * clock.
 *
 * <p>{@link dev.penstock.algorithm.Rule} is the entry point. It uses only integers, and every intermediate value of a
 * decision stays below 2<sup>53</sup>, so that a store whose numbers are doubles can compute the same. Rules are
 * immutable and thread-safe. A {@link dev.penstock.algorithm.State} is not thread-safe: the engine guards it.
 */
@NullMarked
package dev.penstock.algorithm;

import org.jspecify.annotations.NullMarked;
