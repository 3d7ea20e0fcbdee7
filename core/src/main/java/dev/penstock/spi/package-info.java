/**
 * What extenders implement: {@link dev.penstock.spi.Engine}, the {@link dev.penstock.spi.Reply} that it answers with,
 * and the {@link dev.penstock.spi.Fleet} that one with state in common may offer.
 *
 * <p>Implementations are thread-safe.
 */
@NullMarked
package dev.penstock.spi;

import org.jspecify.annotations.NullMarked;
