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
 * Which decisions one who looks on wants to see; null for all.
 *
 * @param policy had a part in it, or is the entry of a list that ruled
 * @param key is in a value of a key, as it is counted
 */
record DecisionFilter(
        @Nullable String policy,
        @Nullable Outcome outcome,
        @Nullable String key) implements BiPredicate<Request, Decision> {
    /** What came of it. */
    private enum Outcome {
        ALLOWED,
        DENIED,
        /** A policy that only watches would have denied. */
        OBSERVED;

        boolean isOf(Decision decision) {
            return switch (this) {
                case ALLOWED -> decision.isAllowed();
                case DENIED -> !decision.isAllowed();
                case OBSERVED -> isObserved(decision);
            };
        }
    }

    private static boolean isObserved(Decision decision) {
        StaticDecision ruling = decision.staticDecision();
        return ruling == null
                ? !decision.observedDenials().isEmpty()
                : ruling.verdict() == StaticDecision.Verdict.SHADOW;
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
        StaticDecision ruling = decision.staticDecision();
        if (ruling != null && ruling.by().equals(policy)) {
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

    /** What it charged, or would have, were the key not blocked. */
    private static List<Charge> charges(Decision decision) {
        StaticDecision ruling = decision.staticDecision();
        Charge about = ruling == null ? null : ruling.about();
        return about == null ? decision.charges() : List.of(about);
    }
}
