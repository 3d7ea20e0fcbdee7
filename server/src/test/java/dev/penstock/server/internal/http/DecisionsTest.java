package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.Request;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionsTest {
    private static final int MANY = 50_000;

    @Test
    void inTurn_ofManyThatAreDecidedAtOnce_doesNotRecurse() throws Exception {
        AggregatedHttpRequest call = AggregatedHttpRequest.of(
                RequestHeaders.of(HttpMethod.POST, "/v1/check", "idempotency-key", "\"call-1\""));
        IdempotencyKey key = IdempotencyKey.of(ServiceRequestContext.of(call.toHttpRequest()), call);
        List<RequestBody> peeks = Collections.nCopies(MANY, new RequestBody(Request.of("user", "ann"), true, null));
        Limiter limiter = Limiter.of();

        List<Decision> decisions = new Decisions(
                        peeks,
                        key,
                        (body, id) -> limiter.peekAsync(body.request().id(id)))
                .inTurn()
                .toCompletableFuture()
                .join();

        assertThat(decisions).hasSize(MANY).allMatch(Decision::isAllowed);
    }
}
