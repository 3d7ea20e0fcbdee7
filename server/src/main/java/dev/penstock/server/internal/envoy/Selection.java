package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyDescriptor;
import java.util.List;

/** Finds the matches of a request's descriptors. Implementations are thread-safe and change nothing. */
@FunctionalInterface
public interface Selection {
    /**
     * Returns one match for each descriptor, in order.
     *
     * @param hitsAddend the cost of a descriptor that has none of its own; 0 if the request has none either, which
     *     means 1
     */
    List<DescriptorMatch> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend);
}
