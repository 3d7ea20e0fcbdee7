package dev.penstock.server.internal.envoy;

import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.StaticDecision;
import java.util.List;

/** A selection with the overrides of operators applied: blocked keys, or shadow for the whole service. */
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
            return new DescriptorMatch.Counted(OperatorOverrides.inShadow(counted.charges()), null);
        }
        return met instanceof DescriptorMatch.Static ruled ? new DescriptorMatch.Nothing(ruled.by()) : met;
    }

    private DescriptorMatch blocked(DescriptorMatch met) {
        StaticDecision block =
                met instanceof DescriptorMatch.Counted counted ? overrides.block(counted.charges()) : null;
        return block == null ? met : DescriptorMatch.Static.denied(block);
    }
}
