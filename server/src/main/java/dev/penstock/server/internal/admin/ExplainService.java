package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Clock;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import dev.penstock.server.internal.http.DecisionJson;
import dev.penstock.server.internal.http.JsonReader;
import dev.penstock.server.internal.http.RequestBody;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.server.json.ExplanationJson;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /admin/explain}: explains what the policies in use do with a request, in the format of {@code penstock
 * explain --json}. While the whole service is in shadow mode, the answer says until when.
 */
public final class ExplainService implements AggregatedService {
    private final PolicyWatch policies;
    private final OperatorOverrides overrides;
    private final Clock clock;

    public ExplainService(PolicyWatch policies, OperatorOverrides overrides, Clock clock) {
        this.policies = policies;
        this.overrides = overrides;
        this.clock = clock;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        RequestBody asked =
                JsonReader.read(request.content(), json -> RequestBody.read(json, null, RequestBody.Kind.ASKED));
        Instant at = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        Explanation explanation = policies.policies().explain(asked.request());
        Instant shadowUntil = overrides.shadowUntil();
        return CompletableFuture.completedStage(Answers.json(HttpStatus.OK, DecisionJson.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("at", at.toString());
            json.writeStringField("hashes", "real");
            if (shadowUntil != null) {
                json.writeStringField("shadow_until", shadowUntil.toString());
            }
            ExplanationJson.write(json, explanation);
            json.writeEndObject();
        })));
    }
}
