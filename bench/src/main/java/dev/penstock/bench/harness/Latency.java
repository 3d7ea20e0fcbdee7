package dev.penstock.bench.harness;

/** How long answers took: half of them at most the one, 99 of 100 at most the other. */
public record Latency(double p50Micros, double p99Micros) {}
