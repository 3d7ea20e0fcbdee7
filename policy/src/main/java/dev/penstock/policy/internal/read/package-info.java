/**
 * Reads the files of the policy language, reports every error, and builds the
 * {@link dev.penstock.policy.internal.select.Selector} that uses them.
 *
 * <p>Start at {@link dev.penstock.policy.internal.read.PolicySetReader}. Not thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.read;

import org.jspecify.annotations.NullMarked;
