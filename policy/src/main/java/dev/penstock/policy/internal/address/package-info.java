/**
 * IP addresses and ranges, and the forms in which people and proxies write them.
 *
 * <p>Entry points: {@link dev.penstock.policy.internal.address.AddressText} and
 * {@link dev.penstock.policy.internal.address.IpRanges}. Immutable and so thread-safe.
 */
@NullMarked
package dev.penstock.policy.internal.address;

import org.jspecify.annotations.NullMarked;
