package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.spi.Ask;
import dev.penstock.spi.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecisionsTest {
    /** Ten times the maximum of a call. */
    private static final int MANY = 10_000;

    private final Limiter limiter = Limiter.builder(
                    Policy.setOf(Policy.named("api").limit(Limit.fixedWindow(2, Duration.ofDays(1)), "user")))
            .build();
    private final List<String> steps = new ArrayList<>();
    private IdempotencyKeyHeader key;

    @BeforeEach
    void call() throws Exception {
        AggregatedHttpRequest call = AggregatedHttpRequest.of(
                RequestHeaders.of(HttpMethod.POST, "/v1/check", "idempotency-key", "\"call-1\""));
        key = Objects.requireNonNull(IdempotencyKeyHeader.of(ServiceRequestContext.of(call.toHttpRequest()), call));
    }

    /** Decides with the limiter and records the order of the steps. */
    private final class Noting implements Decisions.Decider {
        @Override
        public CompletionStage<Decision> decide(RequestBody request, IdempotencyKey id) {
            Request asked = request.request().id(id);
            CompletionStage<Decision> decided = request.peek() ? limiter.peekAsync(asked) : limiter.decideAsync(asked);
            steps.add(decided.toCompletableFuture().join().isAllowed() ? "allowed" : "denied");
            return decided;
        }

        @Override
        public CompletionStage<Boolean> mayBeTaken(IdempotencyKey id) {
            return limiter.engine().mayRemember(Ask.of().id(id)).whenReady();
        }

        @Override
        public CompletionStage<Decision> take(IdempotencyKey id) {
            steps.add("take");
            return limiter.askAsync(Ask.of().id(id));
        }
    }

    private List<Decision> decide(List<RequestBody> requests) {
        return new Decisions(requests, key, new Noting())
                .all()
                .toCompletableFuture()
                .join();
    }

    private static RequestBody request(String user, boolean peek) {
        return new RequestBody(Request.of("user", user), peek, null);
    }

    @Test
    void all_manyImmediateDecisions_doNotOverflowTheStack() {
        List<Decision> decisions = decide(Collections.nCopies(MANY, request("ann", true)));

        assertThat(decisions).hasSize(MANY).allMatch(Decision::isAllowed);
        assertThat(steps).doesNotContain("take");
    }

    @Test
    void all_firstDenied_takesTheKeyOnceOneIsAllowed() {
        limiter.decide(Request.of("user", "ann").cost("requests", 2));

        decide(List.of(request("ann", false), request("bob", false), request("bob", false)));
        assertThat(steps).containsExactly("denied", "allowed", "allowed", "take");

        steps.clear();
        decide(List.of(request("ann", false), request("bob", false), request("bob", false)));
        assertThat(steps).containsExactly("take", "denied", "allowed", "allowed");
    }

    @Test
    void all_keyOfAnotherCall_chargesNothing() {
        limiter.askAsync(Ask.of().id(new IdempotencyKey(key.whole().text(), "another call")));

        List<Decision> decisions = decide(List.of(request("ann", false), request("bob", false)));

        assertThat(decisions).hasSize(1).allMatch(Answers::isOfAnotherCall);
        assertThat(steps).containsExactly("take");
    }

    @Test
    void all_denied_leavesTheKeyFree() {
        limiter.decide(Request.of("user", "ann").cost("requests", 2));

        decide(List.of(request("ann", false), request("ann", false)));

        assertThat(steps).containsExactly("denied", "denied");
    }
}
