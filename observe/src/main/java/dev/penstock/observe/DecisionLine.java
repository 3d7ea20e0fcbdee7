package dev.penstock.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats a decision as a line of JSON: the outcome, the key, the policy and the reason. It contains only the most
 * relevant limit. A key is written as it is counted: hashed if its policy hashes it.
 */
final class DecisionLine {
    private static final JsonFactory JSON = new JsonFactory();

    private final PolicyLabels words;
    private final @Nullable String region;

    DecisionLine(PolicyLabels words, @Nullable String region) {
        this.words = words;
        this.region = region;
    }

    void write(Request request, Decision decision, OutputStream out) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.writeStartObject();
            json.writeStringField("at", decision.madeAt().toString());
            json.writeStringField("outcome", decision.isAllowed() ? "allowed" : "denied");
            if (decision instanceof Denied denied) {
                json.writeStringField("reason", lower(denied.reason()));
            }
            subject(request, decision, json);
            shadow(decision, json);
            json.writeStringField("decided_by", lower(decision.decidedBy()));
            if (region != null) {
                json.writeStringField("region", region);
            }
            PolicyVersion version = decision.policyVersion();
            if (version != null) {
                json.writeNumberField("version", version.number());
                json.writeStringField("hash", version.hash());
            }
            json.writeEndObject();
        }
        out.write('\n');
    }

    /** Writes the policy, the limit and the key of the decision. */
    private void subject(Request request, Decision decision, JsonGenerator json) throws IOException {
        StaticDecision staticDecision = decision.staticDecision();
        if (staticDecision != null && staticDecision.about() == null) {
            json.writeStringField("policy", staticDecision.by());
            return;
        }
        List<Charge> charges = staticDecision == null ? decision.charges() : List.of(staticDecision.about());
        LimitStatus binding = decision.binding();
        if (binding == null && charges.isEmpty()) {
            return;
        }
        Charge newKey = decision instanceof Denied denied ? denied.newKey() : null;
        Charge charge = binding != null ? binding.charge() : newKey != null ? newKey : charges.get(0);
        String policy = charge.settings().policy();
        json.writeStringField("policy", policy);
        json.writeStringField("limit", charge.limit().id());
        String route = words.route(policy, request);
        if (route != null) {
            json.writeStringField("route", route);
        }
        key(charge.key(), json);
        json.writeStringField("unit", charge.limit().unit());
        json.writeNumberField("cost", charge.cost());
        if (binding != null) {
            json.writeNumberField("remaining", binding.remaining());
        }
    }

    private void key(Key key, JsonGenerator json) throws IOException {
        List<String> parts = words.keyParts(key.counter());
        json.writeArrayFieldStart("key_type");
        for (String part : parts) {
            json.writeString(part);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("key");
        for (String value : key.valuesOrNull()) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** Writes the shadow policies that would have denied. */
    private static void shadow(Decision decision, JsonGenerator json) throws IOException {
        StaticDecision staticDecision = decision.staticDecision();
        List<String> policies = staticDecision != null && staticDecision.verdict() == StaticDecision.Verdict.SHADOW
                ? List.of(staticDecision.by())
                : decision.shadowDenials().stream()
                        .map(LimitStatus::policy)
                        .distinct()
                        .toList();
        if (!policies.isEmpty()) {
            json.writeArrayFieldStart("shadow_denied_by");
            for (String policy : policies) {
                json.writeString(policy);
            }
            json.writeEndArray();
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
