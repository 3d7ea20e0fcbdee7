/**
 * The rules of envoyproxy/ratelimit, from its own files: read, selected from, and converted into policies.
 *
 * <p>Start at {@link dev.penstock.policy.envoy.EnvoyRules} and {@link dev.penstock.policy.envoy.EnvoyConverter}. What is
 * public here is immutable and thread-safe; this is the one place where a request is made of descriptors.
 */
@NullMarked
package dev.penstock.policy.envoy;

import org.jspecify.annotations.NullMarked;
