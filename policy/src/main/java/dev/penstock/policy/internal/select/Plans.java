package dev.penstock.policy.internal.select;

import dev.penstock.Clock;
import dev.penstock.policy.internal.match.Subject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the plan of a request's tenant, and the plan's value for each name. */
public final class Plans {
    /** The attribute that contains the tenant. */
    public static final String TENANT = "tenant";

    /** No plans, because nothing refers to any. */
    public static final Plans NONE = new Plans(new Plan("none", List.of()), Map.of(), () -> 0);

    /**
     * A plan, with or without a tenant's overrides.
     *
     * @param values for each name, the index of this plan's value among the distinct values of all plans
     */
    public record Plan(String name, List<Integer> values) {
        int value(int nameIndex) {
            return values.get(nameIndex);
        }
    }

    /**
     * The plan of one tenant.
     *
     * @param temporary the plan that applies before {@code untilMicros}; null for none
     */
    public record Tenant(Plan plan, @Nullable Plan temporary, long untilMicros) {
        Plan at(long nowMicros) {
            return temporary != null && nowMicros < untilMicros ? temporary : plan;
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
        return tenant.temporary() == null ? tenant.plan() : tenant.at(clock.micros());
    }
}
