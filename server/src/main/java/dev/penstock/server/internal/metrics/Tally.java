package dev.penstock.server.internal.metrics;

import dev.penstock.DecidedBy;
import java.util.Map;

/**
 * What is to be counted of a request that was not decided by the limiter alone.
 *
 * @param whole what became of it
 * @param policies what each policy did that had a part in it, by its name
 */
public record Tally(Outcome whole, DecidedBy by, Map<String, Outcome> policies) {
    /** What a policy did about a request. */
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** It would have denied, and only watches. */
        OBSERVED
    }
}
