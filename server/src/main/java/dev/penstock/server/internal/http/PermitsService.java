package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limiter;
import dev.penstock.Permit;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.server.internal.fields.DecisionFields;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code /v1/permits}: decides a request and holds its cost until the permit is settled, renewed or released. */
public final class PermitsService {
    private static final Duration USUAL = Duration.ofMinutes(1);

    private final Limiter limiter;
    private final DecisionJson json;
    private final Duration longestHold;

    /** @param longestHold the maximum time that a caller may request */
    public PermitsService(Limiter limiter, DecisionFields fields, Duration longestHold) {
        this.limiter = limiter;
        this.longestHold = longestHold;
        this.json = new DecisionJson(fields);
    }

    /** {@code POST /v1/permits}: reserves a permit. */
    public AggregatedService reserve() {
        return (context, request) -> reserve(context, request);
    }

    /** {@code POST /v1/permits/{id}/settle}: settles a permit at its real cost. */
    public AggregatedService settle() {
        return (context, request) -> settle(id(context), request);
    }

    /** {@code POST /v1/permits/{id}/renew}: renews a permit. */
    public AggregatedService renew() {
        return (context, request) -> limiter.renewAsync(id(context)).thenApply(PermitsService::settled);
    }

    /** {@code DELETE /v1/permits/{id}}: releases a permit. */
    public AggregatedService release() {
        return (context, request) -> limiter.releaseAsync(id(context)).thenApply(PermitsService::settled);
    }

    private static String id(ServiceRequestContext context) {
        return String.valueOf(context.pathParam("id"));
    }

    private CompletionStage<HttpResponse> reserve(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        IdempotencyKeyHeader key = IdempotencyKeyHeader.of(context, request);
        RequestBody body =
                JsonReader.read(request.content(), reader -> RequestBody.read(reader, null, RequestBody.Kind.PERMIT));
        Hold hold = hold(body.hold());
        Request asked = key == null ? body.request() : body.request().id(key.whole());
        return limiter.reserveAsync(asked, hold).thenApply(Permit::decision).thenApply(json::answer);
    }

    private Hold hold(@Nullable Hold asked) throws BadRequest {
        if (asked == null) {
            return Hold.of(USUAL.compareTo(longestHold) < 0 ? USUAL : longestHold);
        } else if (asked.ttl().compareTo(longestHold) > 0) {
            throw new BadRequest(
                    "hold_ms",
                    asked.ttl().toMillis() + " (expected: at most " + longestHold.toMillis()
                            + ", permits.longest_hold; renew the permit to hold it for longer)");
        }
        return asked;
    }

    private CompletionStage<HttpResponse> settle(String id, AggregatedHttpRequest request) throws BadRequest {
        Costs costs = JsonReader.read(request.content(), PermitsService::actualCosts);
        return limiter.settleAsync(id, costs).thenApply(settlement -> settled(settlement, costs));
    }

    private static Costs actualCosts(JsonReader reader) throws BadRequest, IOException {
        @Nullable Costs[] costs = {null};
        reader.object(null, (word, path) -> {
            if (!word.equals("costs")) {
                throw reader.unknown(path, "costs");
            }
            costs[0] = RequestBody.costs(reader, path);
        });
        Costs found = costs[0];
        if (found == null) {
            throw new BadRequest("costs", "nothing (expected: an object with the real cost of each unit)");
        }
        return found;
    }

    /** Returns 410 if the permit has expired, 404 if it is unknown. */
    private static HttpResponse settled(Settlement settlement) {
        return settled(settlement, Costs.NONE);
    }

    private static HttpResponse settled(Settlement settlement, Costs stated) {
        HttpStatus status = switch (settlement.status()) {
            case SETTLED, RENEWED -> HttpStatus.OK;
            case PENDING -> HttpStatus.ACCEPTED;
            case EXPIRED -> HttpStatus.GONE;
            case UNKNOWN -> HttpStatus.NOT_FOUND;
        };
        return Answers.json(status, DecisionJson.of(settlement, stated));
    }
}
