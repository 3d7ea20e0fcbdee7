/**
 * Temporary changes by operators on all nodes: blocked keys, and shadow for the whole service.
 *
 * <p>All classes are thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.override;

import org.jspecify.annotations.NullMarked;
