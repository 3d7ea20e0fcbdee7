package dev.penstock.bench.soak.hostile;

import java.util.List;

/**
 * The state of a hostile soak at one time.
 *
 * @param second since the load began
 * @param latency of honest requests since the previous sample
 */
record HostileMoment(long second, HonestCounts.Latency latency, List<ServiceSample> services, StoreSample store) {
    HostileMoment {
        services = List.copyOf(services);
    }
}
