package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpData;
import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Grant;
import dev.penstock.LimitStatus;
import dev.penstock.PolicyVersion;
import dev.penstock.Retry;
import dev.penstock.Ruling;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Decisions as JSON. */
public final class DecisionJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    /** Writes something. */
    public interface Writer {
        void write(JsonGenerator json) throws IOException;
    }

    private final DecisionFields fields;
    private final MomentText moments = new MomentText();

    DecisionJson(DecisionFields fields) {
        this.fields = fields;
    }

    HttpData of(Decision decision) {
        return bytes(json -> write(json, decision));
    }

    HttpData of(List<Decision> decisions) {
        return bytes(json -> {
            json.writeStartArray();
            for (Decision decision : decisions) {
                write(json, decision);
            }
            json.writeEndArray();
        });
    }

    /** @param stated what the permit was to be settled at; units that it does not hold are told as ignored */
    static HttpData of(Settlement settlement, Costs stated) {
        Map<String, Long> charged = settlement.charged().asMap();
        List<String> ignored = settlement.status() != Settlement.Status.SETTLED
                ? List.of()
                : stated.asMap().keySet().stream()
                        .filter(unit -> !charged.containsKey(unit) && !unit.equals(Costs.SLOTS))
                        .toList();
        return bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", lower(settlement.status()));
            json.writeObjectFieldStart("charged");
            for (Map.Entry<String, Long> entry : charged.entrySet()) {
                json.writeNumberField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            if (!ignored.isEmpty()) {
                json.writeArrayFieldStart("ignored");
                for (String unit : ignored) {
                    json.writeString(unit);
                }
                json.writeEndArray();
            }
            if (settlement.expiresAt() != null) {
                json.writeStringField("expires_at", settlement.expiresAt().toString());
            }
            json.writeEndObject();
        });
    }

    /** What is written, in UTF-8. */
    public static HttpData bytes(Writer writer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            writer.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return HttpData.wrap(out.toByteArray());
    }

    private void write(JsonGenerator json, Decision decision) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("allowed", decision.isAllowed());
        json.writeStringField("decided_by", lower(decision.decidedBy()));
        json.writeStringField("made_at", moments.of(decision.madeAt()));
        if (decision instanceof Allowed allowed) {
            writeAllowed(json, allowed);
        } else {
            writeDenied(json, (Denied) decision);
        }
        Ruling ruling = decision.ruling();
        if (ruling != null) {
            json.writeStringField("ruled_by", ruling.by());
        }
        PolicyVersion version = decision.policyVersion();
        if (version != null) {
            json.writeObjectFieldStart("policies");
            json.writeNumberField("version", version.number());
            json.writeStringField("hash", version.hash());
            json.writeEndObject();
        }
        json.writeArrayFieldStart("limits");
        for (LimitStatus limit : decision.limits()) {
            write(json, limit);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("headers");
        for (HeaderField field : fields.of(decision)) {
            json.writeStringField(field.name(), field.value());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void writeAllowed(JsonGenerator json, Allowed allowed) throws IOException {
        if (!allowed.delay().isZero()) {
            json.writeNumberField("delay_ms", millisUp(allowed.delay()));
        }
        Grant grant = allowed.grant();
        if (grant != null) {
            json.writeObjectFieldStart("permit");
            json.writeStringField("id", grant.id());
            json.writeStringField("expires_at", grant.expiresAt().toString());
            json.writeEndObject();
        }
    }

    private static void writeDenied(JsonGenerator json, Denied denied) throws IOException {
        json.writeStringField("reason", lower(denied.reason()));
        json.writeStringField("action", denied.action().word());
        Retry retry = denied.retry();
        Duration wait = retry.waitFor();
        json.writeStringField("retry", kind(retry));
        if (wait != null) {
            json.writeNumberField("retry_after_ms", millisUp(wait));
        }
    }

    private static String kind(Retry retry) {
        return retry instanceof Retry.NotBefore ? "not_before" : retry instanceof Retry.Estimate ? "estimate" : "never";
    }

    private static void write(JsonGenerator json, LimitStatus limit) throws IOException {
        json.writeStartObject();
        json.writeStringField("policy", limit.policy());
        json.writeStringField("limit", limit.limit().id());
        json.writeStringField("unit", limit.limit().unit());
        json.writeNumberField("capacity", limit.capacity());
        json.writeNumberField("remaining", limit.remaining());
        json.writeNumberField("cost", limit.cost());
        json.writeNumberField("reset_after_ms", millisUp(limit.resetAfter()));
        json.writeBooleanField("exceeded", limit.isExceeded());
        if (!limit.isEnforced()) {
            json.writeBooleanField("shadow", true);
        }
        if (limit.charge().terms().exposure() == Terms.Exposure.HIDDEN) {
            json.writeBooleanField("hidden", true);
        }
        json.writeEndObject();
    }

    private static long millisUp(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
