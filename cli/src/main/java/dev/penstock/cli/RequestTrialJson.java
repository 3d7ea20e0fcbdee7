package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.cli.RequestTrial.LimitName;
import dev.penstock.cli.RequestTrial.Outcome;
import dev.penstock.cli.RequestTrial.RequestRange;
import dev.penstock.cli.RequestTrial.Variance;
import dev.penstock.server.json.ExplanationJson;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes trials as JSON. */
final class RequestTrialJson {
    private RequestTrialJson() {}

    static void write(JsonGenerator json, RequestTrial rehearsal) throws IOException {
        json.writeObjectFieldStart("repeat");
        json.writeNumberField("allowed", rehearsal.allowed());
        json.writeArrayFieldStart("stretches");
        for (RequestRange each : rehearsal.stretches()) {
            stretch(json, each);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("afterwards");
        for (LimitStatus each : rehearsal.afterwards()) {
            json.writeStartObject();
            limit(json, LimitName.of(each));
            json.writeNumberField("capacity", each.capacity());
            json.writeNumberField("remaining", each.remaining());
            json.writeNumberField("reset_after_micros", micros(each.resetAfter()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void stretch(JsonGenerator json, RequestRange stretch) throws IOException {
        Outcome outcome = stretch.outcome();
        json.writeStartObject();
        json.writeNumberField("from", stretch.from());
        json.writeNumberField("to", stretch.to());
        json.writeBooleanField("allowed", outcome.allowed());
        ExplanationJson.staticDecision(json, outcome.staticDecision());
        LimitName deniedBy = outcome.deniedBy();
        if (deniedBy != null) {
            json.writeBooleanField("blocked", outcome.blocked());
            json.writeObjectFieldStart("denied_by");
            limit(json, deniedBy);
            json.writeEndObject();
        }
        if (outcome.action() != null) {
            json.writeStringField("action", outcome.action().word());
        }
        retry(json, outcome.retry());
        json.writeNumberField("shortest_delay_micros", micros(stretch.shortest()));
        json.writeNumberField("longest_delay_micros", micros(stretch.longest()));
        json.writeArrayFieldStart("shadow_denied_by");
        for (LimitName each : outcome.shadowDenials()) {
            json.writeStartObject();
            limit(json, each);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("candidates");
        for (Variance each : outcome.variances()) {
            json.writeStartObject();
            json.writeStringField("policy", each.candidate());
            json.writeStringField("kind", each.kind().name().toLowerCase(Locale.ROOT));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void limit(JsonGenerator json, LimitName name) throws IOException {
        json.writeStringField("policy", name.policy());
        json.writeStringField("limit", name.id());
        json.writeStringField("counter", name.counter());
    }

    private static void retry(JsonGenerator json, @Nullable Retry retry) throws IOException {
        if (retry == null) {
            return;
        }
        json.writeObjectFieldStart("retry");
        String kind = retry.getClass().getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "_");
        json.writeStringField("kind", kind.toLowerCase(Locale.ROOT));
        Duration wait = retry.waitFor();
        if (wait != null) {
            json.writeNumberField("after_micros", micros(wait));
        }
        json.writeEndObject();
    }

    private static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration);
    }
}
