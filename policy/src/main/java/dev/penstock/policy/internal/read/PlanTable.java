package dev.penstock.policy.internal.read;

import dev.penstock.Clock;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.select.Plans;
import dev.penstock.policy.internal.yaml.Field;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values that plans and tenants give to each name that limits refer to. */
final class PlanTable {
    private final Drafts drafts;

    /** The distinct values of each name. One limit is created per value. */
    private final Map<String, Map<Amount, PlanDraft.Value>> valuesByName = new LinkedHashMap<>();

    private final Map<String, Integer> numbers = new HashMap<>();

    PlanTable(Drafts drafts) {
        this.drafts = drafts;
        checkDefault();
        drafts.tenants.forEach((name, tenant) -> checkTenant(tenant));
    }

    private void checkDefault() {
        Field field = drafts.defaultPlan;
        String name = field == null ? null : field.text("the name of a plan");
        if (field != null && name != null) {
            checkPlan(field, name);
        }
    }

    private void checkPlan(Field field, String name) {
        if (!drafts.plans.containsKey(name) && field.isHeard()) {
            field.refuse("the name of a plan" + Texts.didYouMean(name, drafts.plans.keySet()));
        }
    }

    private void checkTenant(TenantDraft tenant) {
        checkPlan(tenant.planAt(), tenant.plan());
        PlanDraft plan = drafts.plans.get(tenant.plan());
        PlanDraft overrides = tenant.overrides();
        if (plan == null || overrides == null) {
            return;
        }
        overrides.values().forEach((name, value) -> {
            if (!plan.values().containsKey(name) && value.at().isHeard()) {
                value.at()
                        .report("nothing to override (expected: a name of the plan " + tenant.plan() + ": "
                                + Texts.listed(plan.values().keySet())
                                + Texts.didYouMean(name, plan.values().keySet()) + ")");
            }
        });
    }

    /** Returns the number of the name that the limit refers to. Reports plans that lack the name. */
    int refer(LimitDraft limit) {
        String name = String.valueOf(limit.planName());
        Integer known = numbers.get(name);
        if (drafts.defaultPlan == null) {
            limit.numbersAt()
                    .report("plan." + name + " without a default_plan (expected: default_plan at the top of a file,"
                            + " for tenants without a plan)");
        }
        if (known != null) {
            return known;
        }
        Set<String> names = new TreeSet<>();
        drafts.plans.values().forEach(plan -> names.addAll(plan.values().keySet()));
        if (!names.contains(name) && !names.isEmpty() && limit.numbersAt().isHeard()) {
            String expected = name.isEmpty() ? "plan.NAME, a name that plans have: " : "a name that a plan has: ";
            limit.numbersAt().refuse(expected + Texts.listed(names) + Texts.didYouMean(name, names));
        }
        Map<Amount, PlanDraft.Value> values = new LinkedHashMap<>();
        drafts.plans.forEach((planName, plan) -> {
            PlanDraft.Value value = plan.values().get(name);
            if (value == null && names.contains(name) && plan.field().isHeard()) {
                plan.field()
                        .report("no " + name + " (expected: " + Amount.EXPECTED + ", since "
                                + limit.numbersAt().path() + " refers to it"
                                + Texts.didYouMean(name, plan.values().keySet()) + ")");
            } else if (value != null) {
                values.putIfAbsent(value.amount(), value);
            }
        });
        drafts.tenants.values().forEach(tenant -> {
            PlanDraft overrides = tenant.overrides();
            PlanDraft.Value value =
                    overrides == null ? null : overrides.values().get(name);
            if (value != null) {
                values.putIfAbsent(value.amount(), value);
            }
        });
        numbers.put(name, valuesByName.size());
        valuesByName.put(name, values);
        return numbers.get(name);
    }

    /** Returns the distinct values of the name with this number. */
    List<PlanDraft.Value> amounts(int number) {
        return new ArrayList<>(
                new ArrayList<>(valuesByName.values()).get(number).values());
    }

    /**
     * Returns the plans and tenants with the values that limits refer to. Call it after every limit was passed to
     * {@link #refer}.
     */
    Plans plans(Clock clock) {
        Field usual = drafts.defaultPlan;
        String usualName = usual == null ? null : usual.textIfAny();
        if (usualName == null || valuesByName.isEmpty()) {
            return Plans.NONE;
        }
        List<Map<Amount, Integer>> places = new ArrayList<>();
        for (Map<Amount, PlanDraft.Value> values : valuesByName.values()) {
            Map<Amount, Integer> place = new HashMap<>();
            values.keySet().forEach(amount -> place.put(amount, place.size()));
            places.add(place);
        }
        Map<String, Plans.Plan> byName = new HashMap<>();
        drafts.plans.forEach((name, plan) -> byName.put(name, plan(name, plan, null, places)));
        Map<String, Plans.Tenant> tenants = new HashMap<>();
        drafts.tenants.forEach((name, tenant) -> tenants.put(name, tenant(tenant, byName, places)));
        return new Plans(known(byName, usualName), tenants, clock);
    }

    private Plans.Tenant tenant(TenantDraft draft, Map<String, Plans.Plan> byName, List<Map<Amount, Integer>> places) {
        Plans.Plan plan = known(byName, draft.plan());
        PlanDraft overrides = draft.overrides();
        if (overrides == null) {
            return new Plans.Tenant(plan, null, 0);
        }
        PlanDraft base = known(drafts.plans, draft.plan());
        Plans.Plan overridden = plan(draft.plan() + " with overrides", base, overrides, places);
        Instant until = draft.until();
        return until == null
                ? new Plans.Tenant(overridden, null, 0)
                : new Plans.Tenant(plan, overridden, Math.multiplyExact(until.getEpochSecond(), 1_000_000L));
    }

    private Plans.Plan plan(
            String name, PlanDraft plan, @Nullable PlanDraft overrides, List<Map<Amount, Integer>> places) {
        List<Integer> values = new ArrayList<>();
        int at = 0;
        for (String valueName : valuesByName.keySet()) {
            PlanDraft.Value override =
                    overrides == null ? null : overrides.values().get(valueName);
            PlanDraft.Value value = override == null ? known(plan.values(), valueName) : override;
            values.add(known(places.get(at++), value.amount()));
        }
        return new Plans.Plan(name, List.copyOf(values));
    }

    /** Returns a value that an earlier check guarantees to exist. */
    private static <K, V> V known(Map<K, V> map, K name) {
        return Expect.present(map.get(name), String.valueOf(name));
    }
}
