/**
 * Envoy's rate limit service, version 3: its requests read, selected for by policies or by rules of envoyproxy/ratelimit,
 * and answered, over gRPC and as JSON.
 *
 * <p>Start at {@link dev.penstock.server.internal.envoy.RateLimitDecider}. All classes are thread-safe unless they say otherwise.
 */
@NullMarked
package dev.penstock.server.internal.envoy;

import org.jspecify.annotations.NullMarked;
