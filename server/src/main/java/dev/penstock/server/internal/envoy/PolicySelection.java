package dev.penstock.server.internal.envoy;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.Policies;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.policy.internal.address.AddressText;
import dev.penstock.spi.Ask;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Selects by policies, to which each descriptor is a {@linkplain EnvoyDescriptor#request request of its own}. A limit that comes
 * with a descriptor holds in the place of theirs; their deny lists hold all the same.
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
            } catch (IllegalArgumentException e) { // it lacks what the policies ask for, or has more than they take
                throw new RefusedRequest(DescriptorReader.place(i), String.valueOf(e.getMessage()));
            }
            met.add(met(ask, current, domain, descriptors.get(i), hitsAddend));
        }
        return met;
    }

    /** Refuses an {@code ip} that is no address: it would be counted as a client of its own. */
    private static Request checked(Request request, int descriptor) {
        String ip = request.attribute(AttributeNames.IP);
        if (ip != null && AddressText.address(ip) == null) {
            throw new RefusedRequest(
                    DescriptorReader.place(descriptor), "ip is no address (expected: one such as 203.0.113.7)");
        }
        return request;
    }

    private static DescriptorMatch met(
            Ask ask, Policies current, String domain, EnvoyDescriptor descriptor, long hitsAddend) {
        StaticDecision ruling = ask.staticDecision();
        if (ruling != null && ruling.verdict() == StaticDecision.Verdict.DENY) {
            return new DescriptorMatch.Ruled(ruling.by(), null, true);
        }
        if (descriptor.limit() != null) {
            return DescriptorMatch.of(EnvoyRules.overridden(domain, descriptor, hitsAddend, current.version()));
        }
        return ask.size() > 0
                ? new DescriptorMatch.Counted(ask.charges(), null)
                : new DescriptorMatch.Nothing(ruling == null ? StaticDecision.DEFAULT : ruling.by());
    }
}
