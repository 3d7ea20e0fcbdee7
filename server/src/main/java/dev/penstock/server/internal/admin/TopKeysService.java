package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.internal.StageTimeouts;
import dev.penstock.observe.FleetTopKeys;
import dev.penstock.observe.TopKey;
import dev.penstock.observe.TopKeyList;
import dev.penstock.observe.TopKeys;
import dev.penstock.observe.TopKeysReport;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.spi.Ask;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /admin/keys/top}: returns the keys with the most requests and the most denials, of all nodes if they share
 * a store.
 */
public final class TopKeysService implements AggregatedService {
    private static final int USUAL = 10;
    private static final double MILLIS_A_SECOND = 1e3;

    private final TopKeys own;
    private final @Nullable FleetTopKeys fleet;
    private final KeyParts parts;

    /** @param fleet the top keys of all nodes; null if there is no shared store */
    public TopKeysService(TopKeys own, @Nullable FleetTopKeys fleet, KeyParts parts) {
        this.own = own;
        this.fleet = fleet;
        this.parts = parts;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        int limit = Query.of(context, "limit").number("limit", FleetTopKeys.MOST_POSTED, USUAL);
        FleetTopKeys shared = fleet;
        if (shared == null) {
            return CompletableFuture.completedStage(answer("this_node", own.report(limit)));
        }
        return StageTimeouts.SYSTEM
                .within(Ask.USUAL_TIMEOUT, shared.report(limit))
                .handle((report, failure) ->
                        failure == null ? answer("store", report) : answer("this_node", own.report(limit)));
    }

    private HttpResponse answer(String from, TopKeysReport report) {
        double seconds = Math.max(1, report.span().toMillis()) / MILLIS_A_SECOND;
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("from", from);
            json.writeNumberField("nodes", report.nodes());
            json.writeNumberField("seconds", seconds);
            json.writeArrayFieldStart("policies");
            for (TopKeysReport.OfPolicy each : report.policies()) {
                json.writeStartObject();
                json.writeStringField("policy", each.policy());
                write(json, "asked", each.asked(), seconds);
                write(json, "denied", each.denied(), seconds);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }));
    }

    private void write(JsonGenerator json, String name, TopKeyList top, double seconds) throws IOException {
        json.writeArrayFieldStart(name);
        for (TopKey topKey : top.topKeys()) {
            json.writeStartObject();
            KeyState.writeTexts(json, "parts", parts.of(topKey.key().counter()));
            KeyState.writeTexts(json, "key", topKey.key().valuesOrNull());
            json.writeStringField("counter", topKey.key().counter());
            json.writeNumberField("count", topKey.count());
            json.writeNumberField("over", topKey.over());
            json.writeNumberField("per_second", topKey.count() / seconds);
            json.writeBooleanField("hot", own.hot().contains(topKey.key()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
