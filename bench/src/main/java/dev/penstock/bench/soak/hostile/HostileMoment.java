package dev.penstock.bench.soak.hostile;

import java.util.List;

/**
 * Everything at one moment of a hostile soak.
 *
 * @param second since the load began
 * @param latency of honest requests since the moment before
 */
record HostileMoment(long second, HonestCounts.Latency latency, List<ServiceSample> services, StoreSample store) {
    HostileMoment {
        services = List.copyOf(services);
    }
}
