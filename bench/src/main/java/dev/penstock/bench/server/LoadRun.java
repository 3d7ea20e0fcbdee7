package dev.penstock.bench.server;

/**
 * What a load generator says of one run.
 *
 * @param answers those that were good
 * @param errors those that were not, and what got none
 */
record LoadRun(double perSecond, long answers, long errors) {}
