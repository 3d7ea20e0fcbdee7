package dev.penstock.policy.internal.select;

import dev.penstock.Clock;
import dev.penstock.policy.internal.match.Subject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which plan a request's tenant has, and which of the values of each name that is. */
public final class Plans {
    /** The attribute that tells the tenant. */
    public static final String TENANT = "tenant";

    /** No plans: nothing refers to any. */
    public static final Plans NONE = new Plans(new Plan("none", List.of()), Map.of(), () -> 0);

    /**
     * A plan, by itself or with a tenant's overrides.
     *
     * @param values for each name of a plan's value, which of all its values in any plan
     */
    public record Plan(String name, List<Integer> values) {
        int value(int nameIndex) {
            return values.get(nameIndex);
        }
    }

    /**
     * What one tenant has.
     *
     * @param raised what it has before {@code untilMicros}
     */
    public record Tenant(Plan plan, @Nullable Plan raised, long untilMicros) {
        Plan at(long nowMicros) {
            return raised != null && nowMicros < untilMicros ? raised : plan;
        }
    }

    private final Plan usual;
    private final Map<String, Tenant> tenants;
    private final Clock clock;

    public Plans(Plan usual, Map<String, Tenant> tenants, Clock clock) {
        this.usual = usual;
        this.tenants = tenants;
        this.clock = clock;
    }

    Plan of(Subject subject) {
        String name = subject.request().attribute(TENANT);
        Tenant tenant = name == null ? null : tenants.get(name);
        if (tenant == null) {
            return usual;
        }
        return tenant.raised() == null ? tenant.plan() : tenant.at(clock.micros());
    }
}
