/**
 * What a decision costs through the service: Penstock on memory and on Redis against a service that decides nothing, asked
 * by wrk and h2load.
 *
 * <p>Entry point: {@link dev.penstock.bench.server.ServerBench}. Not thread-safe.
 */
@NullMarked
package dev.penstock.bench.server;

import org.jspecify.annotations.NullMarked;
