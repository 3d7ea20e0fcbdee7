/**
 * Code that Penstock's own modules share. Do not use it elsewhere, because it may change in any release.
 *
 * <p>{@link dev.penstock.internal.Expect} rejects bad input. Everything here is thread-safe.
 */
@NullMarked
package dev.penstock.internal;

import org.jspecify.annotations.NullMarked;
