package dev.penstock.server.internal.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.internal.StageTimeouts;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.spi.Ask;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/check}: decides one request, or each request of a list separately. */
public final class CheckService implements AggregatedService {
    private static final int MOST = 1_000;

    private final Limiter limiter;
    private final PolicySet policies;
    private final DecisionJson json;

    /** @param policies the policies of the limiter */
    public CheckService(Limiter limiter, PolicySet policies, DecisionFields fields) {
        this.limiter = limiter;
        this.policies = policies;
        this.json = new DecisionJson(fields);
    }

    /** One request, or a list of requests. */
    private record CheckCall(List<RequestBody> requests, boolean isList) {}

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        IdempotencyKeyHeader key = IdempotencyKeyHeader.of(context, request);
        CheckCall asked = JsonReader.read(request.content(), CheckService::asked);
        if (asked.isList()) {
            expectAllCanBeAsked(asked.requests());
            return decisions(asked.requests(), key).thenApply(this::answer);
        }
        return decide(asked.requests().get(0), key == null ? null : key.whole()).thenApply(this::answer);
    }

    /**
     * Checks all requests before any is decided, so that a bad request later in the list does not leave earlier ones
     * charged.
     */
    private void expectAllCanBeAsked(List<RequestBody> requests) throws BadRequest {
        for (int i = 0; i < requests.size(); i++) {
            try {
                Ask unused = policies.match(requests.get(i).request());
            } catch (IllegalArgumentException e) {
                throw new BadRequest("[" + i + "]", String.valueOf(e.getMessage()));
            }
        }
    }

    private HttpResponse answer(Decision decision) {
        return json.answer(decision);
    }

    private HttpResponse answer(List<Decision> all) {
        return all.stream().anyMatch(Answers::isOfAnotherCall)
                ? Answers.ofAnotherCall()
                : Answers.json(HttpStatus.OK, json.of(all));
    }

    private CompletionStage<List<Decision>> decisions(List<RequestBody> requests, @Nullable IdempotencyKeyHeader key) {
        return key == null
                ? Decisions.inPortions(requests.size(), i -> decide(requests.get(i), null))
                : new Decisions(requests, key, new UnderIds()).all();
    }

    /** Decides under ids. An ask without charges takes an id without counting anything. */
    private final class UnderIds implements Decisions.Decider {
        @Override
        public CompletionStage<Decision> decide(RequestBody request, IdempotencyKey id) {
            return CheckService.this.decide(request, id);
        }

        /** Returns true also if the engine does not answer in time. */
        @Override
        public CompletionStage<Boolean> mayBeTaken(IdempotencyKey id) {
            try {
                Reply<Boolean> reply = limiter.engine().mayRemember(Ask.of().id(id));
                return StageTimeouts.SYSTEM
                        .within(Ask.USUAL_TIMEOUT, reply.whenReady())
                        .exceptionally(failure -> true);
            } catch (RuntimeException e) {
                return CompletableFuture.completedStage(true);
            }
        }

        @Override
        public CompletionStage<Decision> take(IdempotencyKey id) {
            return limiter.askAsync(Ask.of().id(id));
        }
    }

    private static CheckCall asked(JsonReader reader) throws BadRequest, IOException {
        List<RequestBody> requests = new ArrayList<>();
        if (!reader.isArray()) {
            requests.add(RequestBody.read(reader, null, RequestBody.Kind.CHECK));
            return new CheckCall(requests, false);
        }
        reader.items(
                MOST,
                item -> requests.add(RequestBody.read(item, "[" + requests.size() + "]", RequestBody.Kind.CHECK)));
        return new CheckCall(requests, true);
    }

    private CompletionStage<Decision> decide(RequestBody body, @Nullable IdempotencyKey id) {
        Request request = id == null ? body.request() : body.request().id(id);
        return body.peek() ? limiter.peekAsync(request) : limiter.decideAsync(request);
    }
}
