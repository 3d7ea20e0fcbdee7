/**
 * Reads the rules of envoyproxy/ratelimit from its own files, selects rules for requests, and converts rules into
 * policies.
 *
 * <p>Start at {@link dev.penstock.policy.envoy.EnvoyRules} and {@link dev.penstock.policy.envoy.EnvoyConverter}. Rules
 * and descriptors are immutable and thread-safe. This is the only package in which a request consists of descriptors.
 */
@NullMarked
package dev.penstock.policy.envoy;

import org.jspecify.annotations.NullMarked;
