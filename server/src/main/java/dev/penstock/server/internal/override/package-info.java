/**
 * What those who run the service change by hand, for a time and on all nodes: keys that are blocked, and the whole service in
 * shadow.
 *
 * <p>Classes are thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.override;

import org.jspecify.annotations.NullMarked;
