package dev.penstock.bench.soak.hostile;

/**
 * Redis at one moment.
 *
 * @param cpuSeconds the processor time that it has used
 * @param starvedSeconds the time that it has waited for a processor; 0 where the system does not say
 * @param stolenSeconds the processor time that the host has taken from this machine; 0 where the system does not say
 */
record StoreSample(double usedMegabytes, long keys, double cpuSeconds, double starvedSeconds, double stolenSeconds) {}
