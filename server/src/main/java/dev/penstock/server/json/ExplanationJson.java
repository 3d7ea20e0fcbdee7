package dev.penstock.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.Explanation.KeyValue;
import dev.penstock.policy.Explanation.OfLimit;
import dev.penstock.policy.Explanation.OfPolicy;
import dev.penstock.spi.StaticDecision;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes explanations as JSON, for the admin API and {@code penstock explain}. */
public final class ExplanationJson {
    private ExplanationJson() {}

    /** Writes the fields of an explanation into the open object. */
    public static void write(JsonGenerator json, Explanation explanation) throws IOException {
        json.writeStringField("hash", explanation.version().hash());
        json.writeStringField("plan", explanation.plan());
        staticDecision(json, explanation.staticDecision());
        json.writeArrayFieldStart("policies");
        for (OfPolicy policy : explanation.policies()) {
            policy(json, policy);
        }
        json.writeEndArray();
    }

    public static void staticDecision(JsonGenerator json, @Nullable StaticDecision staticDecision) throws IOException {
        if (staticDecision == null) {
            json.writeNullField("ruling");
            return;
        }
        json.writeObjectFieldStart("ruling");
        json.writeStringField("verdict", staticDecision.verdict().name().toLowerCase(Locale.ROOT));
        json.writeStringField("by", staticDecision.by());
        json.writeEndObject();
    }

    private static void policy(JsonGenerator json, OfPolicy policy) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", policy.name());
        json.writeStringField("role", policy.role());
        json.writeBooleanField("matches", policy.matches());
        json.writeStringField("why_not", policy.whyNot());
        json.writeArrayFieldStart("limits");
        for (OfLimit limit : policy.limits()) {
            limit(json, limit);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void limit(JsonGenerator json, OfLimit limit) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", limit.id());
        json.writeStringField("numbers", limit.numbers());
        json.writeBooleanField("applies", limit.applies());
        json.writeStringField("why_not", limit.whyNot());
        json.writeStringField("unit", limit.unit());
        json.writeNumberField("cost", limit.cost());
        json.writeStringField("counter", limit.counter());
        json.writeArrayFieldStart("key");
        for (KeyValue each : limit.key()) {
            json.writeStartObject();
            json.writeStringField("part", each.part());
            json.writeStringField("value", each.value());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("notes");
        for (String note : limit.notes()) {
            json.writeString(note);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
