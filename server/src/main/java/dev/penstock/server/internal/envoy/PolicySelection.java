package dev.penstock.server.internal.envoy;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.Policies;
import dev.penstock.policy.address.AddressText;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.spi.Ask;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Selects by the policies, which treat each descriptor as a {@linkplain EnvoyDescriptor#request separate request}. A
 * limit in a descriptor replaces the limits of the policies, but their deny lists still apply.
 */
public final class PolicySelection implements Selection {
    private final Supplier<Policies> policies;

    public PolicySelection(Supplier<Policies> policies) {
        this.policies = policies;
    }

    @Override
    public List<DescriptorMatch> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend) {
        Policies current = policies.get();
        List<DescriptorMatch> met = new ArrayList<>(descriptors.size());
        for (int i = 0; i < descriptors.size(); i++) {
            Ask ask;
            try {
                ask = current.match(checked(descriptors.get(i).request(domain, hitsAddend), i));
            } catch (IllegalArgumentException e) { // too few attributes for the policies, or too many
                throw new RefusedRequest(DescriptorReader.place(i), String.valueOf(e.getMessage()));
            }
            met.add(met(ask, current, domain, descriptors.get(i), hitsAddend));
        }
        return met;
    }

    /** Refuses an {@code ip} that is not an address, because it would be counted as a separate client. */
    private static Request checked(Request request, int descriptor) {
        String ip = request.attribute(AttributeNames.IP);
        if (ip != null && AddressText.address(ip) == null) {
            throw new RefusedRequest(
                    DescriptorReader.place(descriptor), "ip is not an address (expected: one such as 203.0.113.7)");
        }
        return request;
    }

    private static DescriptorMatch met(
            Ask ask, Policies current, String domain, EnvoyDescriptor descriptor, long hitsAddend) {
        StaticDecision staticDecision = ask.staticDecision();
        if (staticDecision != null && staticDecision.verdict() == StaticDecision.Verdict.DENY) {
            return DescriptorMatch.Static.denied(staticDecision);
        }
        if (descriptor.limit() != null) {
            return DescriptorMatch.of(EnvoyRules.overridden(domain, descriptor, hitsAddend, current.version()));
        }
        return ask.size() > 0
                ? new DescriptorMatch.Counted(ask.charges(), null)
                : new DescriptorMatch.Nothing(staticDecision == null ? StaticDecision.DEFAULT : staticDecision.by());
    }
}
