package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.yaml.Field;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One tenant as a file defines it.
 *
 * @param overrides null if it has none
 * @param until when the overrides end; null for never
 */
record TenantDraft(
        Field planAt,
        String plan,
        @Nullable PlanDraft overrides,
        @Nullable Instant until) {}
