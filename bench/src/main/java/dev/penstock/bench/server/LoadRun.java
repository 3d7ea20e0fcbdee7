package dev.penstock.bench.server;

/**
 * The result of a load generator's run.
 *
 * @param answers the number of successful answers
 * @param errors the number of failed and missing answers
 */
record LoadRun(double perSecond, long answers, long errors) {}
