/**
 * Reads the files of the policy language: every word, every error, and in the end the {@link
 * dev.penstock.policy.internal.select.Selector} that uses them.
 *
 * <p>Start at {@link dev.penstock.policy.internal.read.PolicySetReader}. For one thread.
 */
@NullMarked
package dev.penstock.policy.internal.read;

import org.jspecify.annotations.NullMarked;
