package dev.penstock.observe;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Request;
import dev.penstock.spi.PolicyVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request that no single call of the limiter decided, such as an Envoy request with several
 * descriptors. Counted with {@link DecisionMeters#count}.
 *
 * @param whole the outcome of the whole request
 * @param policies the outcome of each policy that took part, by name
 * @param nearLimit the policy of a limit that allowed the request and is nearly exhausted; null if there is none
 * @param asked used to find routes and plans; null if unavailable
 */
public record RequestOutcome(
        Outcome whole,
        DecidedBy by,
        Map<String, Outcome> policies,
        @Nullable String nearLimit,
        @Nullable Input asked) {
    /**
     * The request that the policies were asked about.
     *
     * @param version the version of the policies
     */
    public record Input(Request request, PolicyVersion version) {}

    /** The outcome of one policy for a request. */
    public enum Outcome {
        ALLOWED,
        DENIED,
        /** Would have denied, but is in shadow mode. */
        SHADOW_DENIED
    }
}
