package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limiter;
import dev.penstock.server.GateSettings;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.Problem;
import java.util.concurrent.CompletionStage;

/** {@code /v1/gate}: answers gateways that ask before they pass a request on, by status and headers. */
public final class GateService implements AggregatedService {
    private final Limiter limiter;
    private final DecisionFields fields;
    private final ForwardedRequest forwarded;
    private final int deniedStatus;

    public GateService(Limiter limiter, DecisionFields fields, ClientAddress address, GateSettings settings) {
        this.limiter = limiter;
        this.fields = fields;
        this.forwarded = new ForwardedRequest(address, settings);
        this.deniedStatus = settings.deniedStatus();
    }

    /** What is in a body is of no interest; one that is too large is refused before anything is charged. */
    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        return limiter.decideAsync(
                        forwarded.of(request.headers(), context.remoteAddress().getAddress()))
                .thenApply(this::answer);
    }

    private HttpResponse answer(Decision decision) {
        if (decision instanceof Denied denied) {
            if (Answers.isOverloaded(denied)) {
                return Answers.overloaded(denied, fields);
            }
            return Answers.problem(Problem.of(denied, deniedStatus), fields.of(decision));
        }
        ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
        fields.of(decision).forEach(field -> headers.set(field.name(), field.value()));
        long delayMillis = ((Allowed) decision).delay().toMillis();
        if (delayMillis > 0) {
            headers.set("penstock-delay-ms", Long.toString(delayMillis));
        }
        return HttpResponse.of(headers.build());
    }
}
