/**
 * Measures the cost of a decision through the service: compares Penstock in memory and over Redis with a service that
 * decides nothing, under load from wrk and h2load.
 *
 * <p>Entry point: {@link dev.penstock.bench.server.ServerBench}. Not thread-safe.
 */
@NullMarked
package dev.penstock.bench.server;

import org.jspecify.annotations.NullMarked;
