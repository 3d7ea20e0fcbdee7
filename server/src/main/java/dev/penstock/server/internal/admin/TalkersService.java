package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Ask;
import dev.penstock.observe.FleetTalkers;
import dev.penstock.observe.Talker;
import dev.penstock.observe.Talkers;
import dev.penstock.observe.TalkersReport;
import dev.penstock.observe.TopTalkers;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.internal.http.WholeService;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code GET /admin/keys/top}: who asks most and who is denied most, on all nodes where there is a store in common. */
public final class TalkersService implements WholeService {
    private static final int USUAL = 10;
    private static final double MILLIS_A_SECOND = 1e3;

    private final Talkers own;
    private final @Nullable FleetTalkers fleet;
    private final PolicyWatch policies;

    /** @param fleet null where no store is shared */
    public TalkersService(Talkers own, @Nullable FleetTalkers fleet, PolicyWatch policies) {
        this.own = own;
        this.fleet = fleet;
        this.policies = policies;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        int limit = Query.of(context, "limit").number("limit", FleetTalkers.TOLD, USUAL);
        FleetTalkers shared = fleet;
        if (shared == null) {
            return CompletableFuture.completedStage(answer("this_node", own.report(limit)));
        }
        return shared.report(limit)
                .toCompletableFuture()
                .copy()
                .orTimeout(Ask.USUAL_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                .handle((report, failure) ->
                        failure == null ? answer("store", report) : answer("this_node", own.report(limit)));
    }

    private HttpResponse answer(String from, TalkersReport report) {
        double seconds = Math.max(1, report.span().toMillis()) / MILLIS_A_SECOND;
        return Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("from", from);
            json.writeNumberField("nodes", report.nodes());
            json.writeNumberField("seconds", seconds);
            json.writeArrayFieldStart("policies");
            for (TalkersReport.OfPolicy each : report.policies()) {
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

    private void write(JsonGenerator json, String name, TopTalkers top, double seconds) throws IOException {
        json.writeArrayFieldStart(name);
        for (Talker talker : top.talkers()) {
            json.writeStartObject();
            KeyState.writeTexts(
                    json, "parts", policies.policies().keyParts(talker.key().counter()));
            KeyState.writeTexts(json, "key", talker.key().valuesOrNull());
            json.writeStringField("counter", talker.key().counter());
            json.writeNumberField("count", talker.count());
            json.writeNumberField("over", talker.over());
            json.writeNumberField("per_second", talker.count() / seconds);
            json.writeBooleanField("hot", own.hot().contains(talker.key()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
