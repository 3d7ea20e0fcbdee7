/**
 * The engines of a node, for applications that assemble their stack by hand.
 *
 * <p>Most applications do not need this package: {@link dev.penstock.Penstock} builds the whole stack in one call. By
 * hand, the order is fixed, from the outermost engine to the innermost: {@link dev.penstock.engine.LocalFirst}, {@link
 * dev.penstock.engine.Guard}, {@link dev.penstock.engine.DenyCache}, {@link dev.penstock.engine.Leasing}, {@link
 * dev.penstock.engine.NewKeyBudget}, and the store. Any of them may be left out. {@link
 * dev.penstock.engine.MemoryEngine} is a store in this process.
 *
 * <p>Every engine is thread-safe.
 */
@NullMarked
package dev.penstock.engine;

import org.jspecify.annotations.NullMarked;
