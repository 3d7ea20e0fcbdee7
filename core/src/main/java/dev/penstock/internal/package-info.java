/**
 * What Penstock's own modules share and nobody else should use; it may change in any release.
 *
 * <p>{@link dev.penstock.internal.Expect} refuses bad input. Everything here is stateless and thread-safe.
 */
@NullMarked
package dev.penstock.internal;

import org.jspecify.annotations.NullMarked;
