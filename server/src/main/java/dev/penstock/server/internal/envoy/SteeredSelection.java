package dev.penstock.server.internal.envoy;

import dev.penstock.Ruling;
import dev.penstock.policy.envoy.EnvoyDescriptor;
import dev.penstock.server.internal.steer.Steering;
import java.util.List;

/** A selection as it was changed by hand: keys are blocked, or the whole service is in shadow. */
public final class SteeredSelection implements Selection {
    private final Selection selection;
    private final Steering steering;

    public SteeredSelection(Selection selection, Steering steering) {
        this.selection = selection;
        this.steering = steering;
    }

    @Override
    public List<Met> select(String domain, List<EnvoyDescriptor> descriptors, long hitsAddend) {
        List<Met> met = selection.select(domain, descriptors, hitsAddend);
        if (!steering.isInForce()) {
            return met;
        }
        boolean isShadow = steering.shadowUntil() != null;
        return met.stream()
                .map(each -> isShadow ? shadowed(each) : blocked(each))
                .toList();
    }

    private static Met shadowed(Met met) {
        if (met instanceof Met.Counted counted) {
            return new Met.Counted(Steering.observed(counted.charges()), null);
        }
        return met instanceof Met.Ruled ruled ? new Met.Nothing(ruled.by()) : met;
    }

    private Met blocked(Met met) {
        Ruling block = met instanceof Met.Counted counted ? steering.block(counted.charges()) : null;
        return block == null ? met : new Met.Ruled(block.by(), null, true);
    }
}
