package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Clock;
import dev.penstock.observe.History;
import dev.penstock.observe.HistoryReport;
import dev.penstock.observe.HistoryReport.Outcomes;
import dev.penstock.observe.HistoryReport.Trips;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** {@code GET /admin/history}: returns the number of decisions that this node made in each of the last seconds. */
public final class HistoryService implements AggregatedService {
    private final History history;
    private final Supplier<String> node;
    private final Clock clock;

    /** @param node returns the name of this node */
    public HistoryService(History history, Supplier<String> node, Clock clock) {
        this.history = history;
        this.node = node;
        this.clock = clock;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        long since = Query.of(context, "since").second("since", 0);
        HistoryReport report = history.after(since);
        Instant now = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        return CompletableFuture.completedStage(
                Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> write(json, now, report))));
    }

    private void write(JsonGenerator json, Instant now, HistoryReport report) throws IOException {
        json.writeStartObject();
        json.writeStringField("node", node.get());
        json.writeStringField("now", now.toString());
        json.writeNumberField("from", report.from());
        json.writeNumberField("count", report.count());
        write(json, "total", report.total());
        json.writeObjectFieldStart("policies");
        for (Map.Entry<String, Outcomes> policy : report.policies().entrySet()) {
            write(json, policy.getKey(), policy.getValue());
        }
        json.writeEndObject();
        Trips store = report.store();
        if (store == null) {
            json.writeNullField("store");
        } else {
            json.writeObjectFieldStart("store");
            write(json, "trips", store.trips());
            write(json, "errors", store.errors());
            write(json, "mean_us", store.meanMicros());
            write(json, "slowest_us", store.slowestMicros());
            json.writeEndObject();
        }
        write(json, "fallback", report.fallback());
        write(json, "overloaded", report.overloaded());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, Outcomes outcomes) throws IOException {
        json.writeObjectFieldStart(name);
        write(json, "allowed", outcomes.allowed());
        write(json, "denied", outcomes.denied());
        write(json, "shadow_denied", outcomes.shadowDenied());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, List<Long> figures) throws IOException {
        json.writeArrayFieldStart(name);
        for (long figure : figures) {
            json.writeNumber(figure);
        }
        json.writeEndArray();
    }
}
