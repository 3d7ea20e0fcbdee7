package dev.penstock.observe;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Request;
import dev.penstock.spi.PolicyVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be counted of a request that was not decided by the limiter alone.
 *
 * @param whole what became of it
 * @param policies what each policy did that had a part in it, by its name
 * @param nearLimit the policy of whose limit little is left though it let the request pass; null where there is none
 * @param asked by which routes and plans are found; null where there is nothing to find them by
 */
public record RequestOutcome(
        Outcome whole,
        DecidedBy by,
        Map<String, Outcome> policies,
        @Nullable String nearLimit,
        @Nullable Asked asked) {
    /**
     * What was asked of policies.
     *
     * @param version of the policies
     */
    public record Asked(Request request, PolicyVersion version) {}

    /** What a policy did about a request. */
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** It would have denied, and only watches. */
        OBSERVED
    }
}
