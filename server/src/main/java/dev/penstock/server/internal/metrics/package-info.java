/**
 * The metrics of the service, in the formats that Prometheus reads.
 *
 * <p>Start at {@link dev.penstock.server.internal.metrics.ServiceMetrics}. No value of a request ever becomes a label.
 * All classes are thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.metrics;

import org.jspecify.annotations.NullMarked;
