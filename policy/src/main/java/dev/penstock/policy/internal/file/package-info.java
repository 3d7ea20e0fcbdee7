/**
 * Reads, polls and reloads files.
 *
 * <p>Entry point: {@link dev.penstock.policy.internal.file.FileReloader}, which is thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.file;

import org.jspecify.annotations.NullMarked;
