package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyDescriptor;
import java.util.List;

/** Tells what the descriptors of a request meet. Implementations are thread-safe, and change nothing. */
@FunctionalInterface
public interface Selection {
    /**
     * One for each descriptor, in their order.
     *
     * @param hitsAddend what a descriptor costs that does not say; 0 where the request does not say either, for 1
     */
    List<DescriptorMatch> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend);
}
