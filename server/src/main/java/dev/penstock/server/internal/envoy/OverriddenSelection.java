package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.StaticDecision;
import java.util.List;

/** A selection as it was changed by hand: keys are blocked, or the whole service is in shadow. */
public final class OverriddenSelection implements Selection {
    private final Selection selection;
    private final OperatorOverrides overrides;

    public OverriddenSelection(Selection selection, OperatorOverrides overrides) {
        this.selection = selection;
        this.overrides = overrides;
    }

    @Override
    public List<DescriptorMatch> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend) {
        List<DescriptorMatch> met = selection.select(domain, descriptors, hitsAddend);
        if (!overrides.isInForce()) {
            return met;
        }
        boolean isShadow = overrides.shadowUntil() != null;
        return met.stream()
                .map(each -> isShadow ? shadowed(each) : blocked(each))
                .toList();
    }

    private static DescriptorMatch shadowed(DescriptorMatch met) {
        if (met instanceof DescriptorMatch.Counted counted) {
            return new DescriptorMatch.Counted(OperatorOverrides.observed(counted.charges()), null);
        }
        return met instanceof DescriptorMatch.Ruled ruled ? new DescriptorMatch.Nothing(ruled.by()) : met;
    }

    private DescriptorMatch blocked(DescriptorMatch met) {
        StaticDecision block =
                met instanceof DescriptorMatch.Counted counted ? overrides.block(counted.charges()) : null;
        return block == null ? met : new DescriptorMatch.Ruled(block.by(), null, true);
    }
}
