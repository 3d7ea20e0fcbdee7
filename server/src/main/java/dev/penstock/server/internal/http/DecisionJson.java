package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.HeaderField;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes decisions as JSON. */
public final class DecisionJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int USUAL_BYTES = 1_024;

    // Names that every answer has, encoded only once.
    private static final SerializableString ALLOWED = new SerializedString("allowed");
    private static final SerializableString DECIDED_BY = new SerializedString("decided_by");
    private static final SerializableString MADE_AT = new SerializedString("made_at");
    private static final SerializableString RULED_BY = new SerializedString("ruled_by");
    private static final SerializableString VERSION = new SerializedString("version");
    private static final SerializableString HASH = new SerializedString("hash");
    private static final SerializableString POLICIES = new SerializedString("policies");
    private static final SerializableString LIMITS = new SerializedString("limits");
    private static final SerializableString HEADERS = new SerializedString("headers");
    private static final SerializableString POLICY = new SerializedString("policy");
    private static final SerializableString LIMIT = new SerializedString("limit");
    private static final SerializableString UNIT = new SerializedString("unit");
    private static final SerializableString CAPACITY = new SerializedString("capacity");
    private static final SerializableString REMAINING = new SerializedString("remaining");
    private static final SerializableString COST = new SerializedString("cost");
    private static final SerializableString RESET_AFTER_MS = new SerializedString("reset_after_ms");
    private static final SerializableString EXCEEDED = new SerializedString("exceeded");
    private static final SerializableString SHADOW = new SerializedString("shadow");
    private static final SerializableString HIDDEN = new SerializedString("hidden");

    private static final Map<DecidedBy, String> DECIDERS = Arrays.stream(DecidedBy.values())
            .collect(Collectors.toMap(
                    each -> each, DecisionJson::lower, (one, other) -> one, () -> new EnumMap<>(DecidedBy.class)));

    /** Writes a part of a document. */
    public interface Writer {
        void write(JsonGenerator json) throws IOException;
    }

    private final DecisionFields fields;
    private final InstantText moments = new InstantText();

    DecisionJson(DecisionFields fields) {
        this.fields = fields;
    }

    /**
     * Returns the answer to a single request: the decision, or a problem document if there is no decision to act on.
     */
    HttpResponse answer(Decision decision) {
        if (Answers.isOfAnotherCall(decision)) {
            return Answers.ofAnotherCall();
        }
        return Answers.isOverloaded(decision)
                ? Answers.overloaded((Denied) decision, fields)
                : Answers.json(HttpStatus.OK, bytes(json -> write(json, decision)));
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

    /** @param stated the costs that the caller stated; units that the permit does not hold are listed as ignored */
    static HttpData of(Settlement settlement, Costs stated) {
        Map<String, Long> settled = settlement.settled().asMap();
        List<String> ignored = settlement.status() != Settlement.Status.SETTLED
                ? List.of()
                : stated.asMap().keySet().stream()
                        .filter(unit -> !settled.containsKey(unit) && !unit.equals(Costs.SLOTS))
                        .toList();
        return bytes(json -> {
            json.writeStartObject();
            json.writeStringField("status", lower(settlement.status()));
            writeCosts(json, "settled", settlement.settled());
            writeCosts(json, "charged", settlement.charged());
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

    private static void writeCosts(JsonGenerator json, String name, Costs costs) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> entry : costs.asMap().entrySet()) {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    /** Returns the written document in UTF-8. */
    public static HttpData bytes(Writer writer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
            writer.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return HttpData.wrap(out.toByteArray());
    }

    private void write(JsonGenerator json, Decision decision) throws IOException {
        json.writeStartObject();
        json.writeFieldName(ALLOWED);
        json.writeBoolean(decision.isAllowed());
        json.writeFieldName(DECIDED_BY);
        json.writeString(DECIDERS.get(decision.decidedBy()));
        json.writeFieldName(MADE_AT);
        json.writeString(moments.of(decision.madeAt()));
        if (decision instanceof Allowed allowed) {
            writeAllowed(json, allowed);
        } else {
            writeDenied(json, (Denied) decision);
        }
        StaticDecision staticDecision = decision.staticDecision();
        if (staticDecision != null) {
            json.writeFieldName(RULED_BY);
            json.writeString(staticDecision.by());
        }
        PolicyVersion version = decision.policyVersion();
        if (version != null) {
            json.writeFieldName(POLICIES);
            json.writeStartObject();
            json.writeFieldName(VERSION);
            json.writeNumber(version.number());
            json.writeFieldName(HASH);
            json.writeString(version.hash());
            json.writeEndObject();
        }
        json.writeFieldName(LIMITS);
        json.writeStartArray();
        for (LimitStatus limit : decision.limits()) {
            write(json, limit);
        }
        json.writeEndArray();
        json.writeFieldName(HEADERS);
        json.writeStartObject();
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
        PermitHandle grant = allowed.permitHandle();
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
        json.writeFieldName(POLICY);
        json.writeString(limit.policy());
        json.writeFieldName(LIMIT);
        json.writeString(limit.limit().id());
        json.writeFieldName(UNIT);
        json.writeString(limit.limit().unit());
        json.writeFieldName(CAPACITY);
        json.writeNumber(limit.capacity());
        json.writeFieldName(REMAINING);
        json.writeNumber(limit.remaining());
        json.writeFieldName(COST);
        json.writeNumber(limit.cost());
        json.writeFieldName(RESET_AFTER_MS);
        json.writeNumber(millisUp(limit.resetAfter()));
        json.writeFieldName(EXCEEDED);
        json.writeBoolean(limit.isExceeded());
        if (!limit.isEnforced()) {
            json.writeFieldName(SHADOW);
            json.writeBoolean(true);
        }
        if (limit.charge().settings().exposure() == LimitSettings.Exposure.HIDDEN) {
            json.writeFieldName(HIDDEN);
            json.writeBoolean(true);
        }
        List<String> missing = limit.missing();
        if (!missing.isEmpty()) {
            json.writeArrayFieldStart("missing");
            for (String attribute : missing) {
                json.writeString(attribute);
            }
            json.writeEndArray();
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
