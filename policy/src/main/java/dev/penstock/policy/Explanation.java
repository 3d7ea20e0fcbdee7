package dev.penstock.policy;

import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains how policies apply to a request, and why. Nothing is charged and no store is asked.
 *
 * @param staticDecision the static decision, by a list or because nothing matches; null if limits decide
 * @param plan the plan of the request's tenant; null if no limit uses plans
 * @param policies all policies by name, including those that do not match
 */
public record Explanation(
        PolicyVersion version,
        @Nullable StaticDecision staticDecision,
        @Nullable String plan,
        List<OfPolicy> policies) {
    public Explanation {
        policies = List.copyOf(policies);
    }

    /**
     * How one policy applies to the request.
     *
     * @param role {@code enforce}, {@code shadow}, or {@code candidate of NAME}
     * @param whyNot why it does not match; null if it does
     * @param limits the limits of a policy that matches
     */
    public record OfPolicy(
            String name, String role, @Nullable String whyNot, List<OfLimit> limits) {
        public OfPolicy {
            limits = List.copyOf(limits);
        }

        /** Returns whether the policy matches the request. */
        public boolean matches() {
            return whyNot == null;
        }
    }

    /**
     * How one limit applies to the request.
     *
     * @param numbers the numbers in the notation of the policy language
     * @param counter the name that it counts under
     * @param whyNot why it does not apply; null if it does
     */
    public record OfLimit(
            String id,
            String numbers,
            String unit,
            long cost,
            String counter,
            List<KeyValue> key,
            List<String> notes,
            @Nullable String whyNot) {
        public OfLimit {
            key = List.copyOf(key);
            notes = List.copyOf(notes);
        }

        /** Returns whether the limit applies to the request. */
        public boolean applies() {
            return whyNot == null;
        }
    }

    /**
     * One part of a key.
     *
     * @param part the part as the policy spells it
     * @param value the value as it is counted: hashed if the policy hashes it; null if the request lacks it
     */
    public record KeyValue(String part, @Nullable String value) {}
}
