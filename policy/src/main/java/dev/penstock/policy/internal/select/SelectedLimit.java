package dev.penstock.policy.internal.select;

import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.Subject;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit of a policy, ready to be charged.
 *
 * @param parts of the key
 * @param colocate what keeps accounts together; null for nothing
 * @param planName the number of the plan's value that it takes; {@value #NO_PLAN} where it has numbers of its own
 * @param lines its settings and counter, for each value of the plan; one where it has numbers of its own
 */
public record SelectedLimit(
        List<KeyPart> parts,
        @Nullable KeyPart colocate,
        WhenMissing whenMissing,
        Cost cost,
        int planName,
        List<@Nullable Line> lines) {
    public static final int NO_PLAN = -1;

    /** What it counts to and where; a plan that has no such limit has no line. */
    public record Line(LimitSettings settings, String counter) {}

    /** The line of that plan; null where it is unlimited. */
    @Nullable
    Line line(Plans.@Nullable Plan plan) {
        return lines.get(plan == null || planName == NO_PLAN ? 0 : plan.value(planName));
    }

    boolean takesPlan() {
        return planName != NO_PLAN;
    }

    /** The charge of the request; null where the limit does not apply to it. */
    @Nullable
    Charge charge(Subject subject, Match own, Routes routes, Plans.@Nullable Plan plan) {
        Line line = line(plan);
        if (line == null) {
            return null;
        }
        Key key = key(line.counter(), subject, own, routes);
        if (key == null) {
            return null;
        }
        Charge charge = Charge.of(line.settings(), key, cost.of(subject));
        String together = colocate == null ? null : value(colocate, subject, own, routes);
        return together == null ? charge : charge.colocation(together);
    }

    private @Nullable Key key(String counter, Subject subject, Match own, Routes routes) {
        if (parts.size() == 1) {
            String only = value(parts.get(0), subject, own, routes);
            if (only != null) {
                return Key.of(counter, only);
            }
        }
        List<@Nullable String> values = values(subject, own, routes);
        return whenMissing == WhenMissing.SKIP && values.contains(null) ? null : Key.of(counter, values);
    }

    /** What the request is counted by, for each part. */
    List<@Nullable String> values(Subject subject, Match own, Routes routes) {
        List<@Nullable String> values = new ArrayList<>(parts.size());
        for (KeyPart part : parts) {
            values.add(value(part, subject, own, routes));
        }
        return values;
    }

    private static @Nullable String value(KeyPart part, Subject subject, Match own, Routes routes) {
        return part.isRoute() ? routes.of(subject, own) : part.value(subject);
    }
}
