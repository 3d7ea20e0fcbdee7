package dev.penstock.bench.soak.hostile;

import java.time.Duration;

/**
 * The state of a service at the end, while attackers were still connected.
 *
 * @param isAlive true if the process was still running
 * @param answer how long an honest request took at that time
 * @param isChanged true if a client without a token changed the service
 * @param peakResidentMegabytes the peak resident memory of the process
 * @param maxHeapMegabytes the largest heap that its flags allow
 * @param shutdown the time from SIGTERM to the end of the process
 */
record ServiceEnd(
        boolean isAlive,
        Duration answer,
        boolean isChanged,
        double peakResidentMegabytes,
        double maxHeapMegabytes,
        Duration shutdown) {}
