package dev.penstock.server.internal.admin;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.spi.Charge;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Selects the decisions that a caller wants to see. A null component selects all.
 *
 * @param policy the name of a policy involved in the decision, or the entry of a list that decided it
 * @param key a part of a key value, in the form in which it is counted
 */
record DecisionFilter(
        @Nullable String policy,
        @Nullable Outcome outcome,
        @Nullable String key) implements BiPredicate<Request, Decision> {
    /** The outcome of a decision. */
    private enum Outcome {
        ALLOWED,
        DENIED,
        /** A shadow policy would have denied the request. */
        SHADOW_DENIED;

        boolean isOf(Decision decision) {
            return switch (this) {
                case ALLOWED -> decision.isAllowed();
                case DENIED -> !decision.isAllowed();
                case SHADOW_DENIED -> isShadowDenied(decision);
            };
        }
    }

    private static boolean isShadowDenied(Decision decision) {
        StaticDecision staticDecision = decision.staticDecision();
        return staticDecision == null
                ? !decision.shadowDenials().isEmpty()
                : staticDecision.verdict() == StaticDecision.Verdict.SHADOW;
    }

    static DecisionFilter of(ServiceRequestContext context) throws BadRequest {
        Query query = Query.of(context, "policy", "outcome", "key");
        return new DecisionFilter(query.text("policy"), query.oneOf("outcome", Outcome.class), query.text("key"));
    }

    @Override
    public boolean test(Request request, Decision decision) {
        return (outcome == null || outcome.isOf(decision))
                && (policy == null || isOf(policy, decision))
                && (key == null || isAbout(key, decision));
    }

    private static boolean isOf(String policy, Decision decision) {
        StaticDecision staticDecision = decision.staticDecision();
        if (staticDecision != null && staticDecision.by().equals(policy)) {
            return true;
        }
        for (Charge charge : charges(decision)) {
            if (charge.settings().policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAbout(String key, Decision decision) {
        for (Charge charge : charges(decision)) {
            for (String value : charge.key().valuesOrNull()) {
                if (value != null && value.contains(key)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the charges of the decision. If an operator has blocked the key, returns the charge that the block
     * stopped.
     */
    private static List<Charge> charges(Decision decision) {
        StaticDecision staticDecision = decision.staticDecision();
        Charge about = staticDecision == null ? null : staticDecision.about();
        return about == null ? decision.charges() : List.of(about);
    }
}
