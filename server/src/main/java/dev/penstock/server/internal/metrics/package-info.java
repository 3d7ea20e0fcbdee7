/**
 * What is counted of the service, and its telling in the forms that Prometheus reads.
 *
 * <p>Start at {@link dev.penstock.server.internal.metrics.ServiceMetrics}. No value of a request ever becomes a label. All
 * classes are thread-safe.
 */
@NullMarked
package dev.penstock.server.internal.metrics;

import org.jspecify.annotations.NullMarked;
