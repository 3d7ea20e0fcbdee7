package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.yaml.Field;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a file says of one tenant.
 *
 * @param overrides null where it has none
 * @param until when the overrides end; null for never
 */
record TenantDraft(
        Field planAt,
        String plan,
        @Nullable PlanDraft overrides,
        @Nullable Instant until) {}
