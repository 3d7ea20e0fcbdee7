package dev.penstock.bench.soak.hostile;

import java.time.Duration;

/**
 * How a service stood at the end, while attackers were still connected.
 *
 * @param isAlive whether the process still ran
 * @param answer how long an honest request took then
 * @param isChanged whether somebody without a token changed the service
 * @param peakResidentMegabytes the most memory that the process had resident
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
