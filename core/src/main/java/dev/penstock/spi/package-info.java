/**
 * What extenders implement: {@link dev.penstock.spi.Engine}, and the {@link dev.penstock.spi.Reply} that it answers with.
 *
 * <p>Implementations are thread-safe.
 */
@NullMarked
package dev.penstock.spi;

import org.jspecify.annotations.NullMarked;
