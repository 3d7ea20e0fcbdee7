package dev.penstock.observe;

import dev.penstock.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names for the parts of a decision, for use as labels. Each has few distinct values and contains no text from a
 * request.
 *
 * <p>Implementations are thread-safe and fast.
 */
public interface PolicyLabels {
    /** Knows no names beyond those in the decisions themselves. */
    PolicyLabels NONE = new PolicyLabels() {
        @Override
        public List<String> keyParts(String counter) {
            return List.of();
        }

        @Override
        public @Nullable String route(String policy, Request request) {
            return null;
        }

        @Override
        public @Nullable String plan(Request request) {
            return null;
        }
    };

    /** Returns the parts of a counter's keys, as in {@code tenant, ip/24}; empty if unknown. */
    List<String> keyParts(String counter);

    /**
     * Returns the most specific pattern of the request's route, from the policy and the API; null if there is none. For
     * one version of the policies, it depends only on the request's attribute {@code route}.
     */
    @Nullable
    String route(String policy, Request request);

    /** Returns the plan that applies to the request; null if there is none. */
    @Nullable
    String plan(Request request);
}
