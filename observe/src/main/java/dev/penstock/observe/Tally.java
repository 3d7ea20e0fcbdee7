package dev.penstock.observe;

import dev.penstock.DecidedBy;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be counted of a request that was not decided by the limiter alone.
 *
 * @param whole what became of it
 * @param policies what each policy did that had a part in it, by its name
 * @param nearLimit the policy of whose limit little is left though it let the request pass; null where there is none
 */
public record Tally(
        Outcome whole,
        DecidedBy by,
        Map<String, Outcome> policies,
        @Nullable String nearLimit) {
    /** What a policy did about a request. */
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** It would have denied, and only watches. */
        OBSERVED
    }
}
