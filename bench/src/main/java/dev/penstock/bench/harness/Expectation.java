package dev.penstock.bench.harness;

/** A ratio of two contenders' scores in one case, and what it has to reach. */
public record Expectation(String ratio, String ours, String peer, double atLeast) {}
