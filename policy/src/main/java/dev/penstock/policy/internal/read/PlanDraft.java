package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.yaml.Field;
import java.util.Map;

/** Named values with their places: a plan, or one tenant's overrides. */
record PlanDraft(Field field, Map<String, Value> values) {
    record Value(Amount amount, Field at) {}
}
