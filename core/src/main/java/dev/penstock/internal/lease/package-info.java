/**
 * The parts of {@link dev.penstock.engine.Leasing}: permits drawn ahead, and how many to draw.
 *
 * <p>All classes are thread-safe.
 */
@NullMarked
package dev.penstock.internal.lease;

import org.jspecify.annotations.NullMarked;
