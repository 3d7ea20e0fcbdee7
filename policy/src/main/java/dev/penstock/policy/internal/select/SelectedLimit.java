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
 * @param parts the parts of the key
 * @param colocate the part by which accounts are colocated; null for none
 * @param planName the number of the plan's value that it uses; {@value #NO_PLAN} if it has its own numbers
 * @param lines its settings and counter for each value of the plan; a single line if it has its own numbers
 */
public record SelectedLimit(
        List<KeyPart> parts,
        @Nullable KeyPart colocate,
        WhenMissing whenMissing,
        Cost cost,
        int planName,
        List<@Nullable Line> lines) {
    public static final int NO_PLAN = -1;

    /** The settings and the counter for one set of numbers. An unlimited plan has no line. */
    public record Line(LimitSettings settings, String counter) {}

    /** Returns the line for the plan; null if the limit is unlimited in it. */
    @Nullable
    Line line(Plans.@Nullable Plan plan) {
        return lines.get(plan == null || planName == NO_PLAN ? 0 : plan.value(planName));
    }

    boolean takesPlan() {
        return planName != NO_PLAN;
    }

    /** Returns the charge of the request; null if the limit does not apply to it. */
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

    /** Returns the value of each part of the key for the request. */
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
