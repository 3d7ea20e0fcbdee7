/**
 * Envoy's rate limit service, version 3. It reads requests over gRPC and as JSON, selects limits by the policies or by
 * rules of envoyproxy/ratelimit, and answers.
 *
 * <p>Start at {@link dev.penstock.server.internal.envoy.RateLimitDecider}. All classes are thread-safe unless they say
 * otherwise.
 */
@NullMarked
package dev.penstock.server.internal.envoy;

import org.jspecify.annotations.NullMarked;
