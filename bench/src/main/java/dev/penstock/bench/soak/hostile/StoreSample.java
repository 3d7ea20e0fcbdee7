package dev.penstock.bench.soak.hostile;

/**
 * The state of Redis at one time.
 *
 * @param cpuSeconds the processor time that it has used
 * @param starvedSeconds the time that it has waited for a processor; 0 if the system does not report it
 * @param stolenSeconds the processor time that the host has taken from this machine; 0 if the system does not report it
 */
record StoreSample(double usedMegabytes, long keys, double cpuSeconds, double starvedSeconds, double stolenSeconds) {}
