/**
 * IP addresses and ranges, and the notations that people and proxies use for them. Code that determines a client's
 * address uses this package, so that it reads addresses exactly as the conditions on {@code ip} do.
 *
 * <p>Entry points: {@link dev.penstock.policy.address.AddressText} and {@link dev.penstock.policy.address.IpRanges}.
 * Immutable and therefore thread-safe.
 */
@NullMarked
package dev.penstock.policy.address;

import org.jspecify.annotations.NullMarked;
