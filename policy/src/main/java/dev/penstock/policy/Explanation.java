package dev.penstock.policy;

import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policies make of a request, and why: nothing is charged, and no store is asked.
 *
 * @param staticDecision what is ruled without counting, by a list or because nothing matches; null where limits decide
 * @param plan the plan of the request's tenant; null where no limit takes one
 * @param policies all of them by name, those that do not match included
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
     * What one policy makes of it.
     *
     * @param role {@code enforce}, {@code shadow}, or {@code candidate of NAME}
     * @param whyNot why it does not match; null where it does
     * @param limits of a policy that matches
     */
    public record OfPolicy(
            String name, String role, @Nullable String whyNot, List<OfLimit> limits) {
        public OfPolicy {
            limits = List.copyOf(limits);
        }

        public boolean matches() {
            return whyNot == null;
        }
    }

    /**
     * What one limit makes of it.
     *
     * @param numbers as the language writes them
     * @param counter the name that it counts under
     * @param whyNot why it does not apply; null where it does
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

        public boolean applies() {
            return whyNot == null;
        }
    }

    /**
     * One part of a key.
     *
     * @param part as the policy has it
     * @param value as it is counted: hashed where the policy hashes it; null where the request lacks it
     */
    public record KeyValue(String part, @Nullable String value) {}
}
