package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.server.GateSettings;
import dev.penstock.server.internal.address.ClientAddress;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.FieldChoices;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GateServiceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int MOST_DELAYED = 2;

    private final ManualClock clock = new ManualClock();
    private final Limiter limiter = Limiter.builder(
                    Policy.setOf(Policy.named("shaped").limit(Limit.leakyBucket(1, SECOND, 100))))
            .engine(MemoryEngine.builder().clock(clock).build())
            .build();
    private final GateService service = new GateService(
            limiter,
            new DecisionFields(FieldChoices.USUAL),
            ClientAddress.ofPeer(),
            new GateSettings(
                    GateSettings.DEFAULT.deniedStatus(),
                    GateSettings.DEFAULT.requestHeaders(),
                    Map.of(),
                    Duration.ofSeconds(10)),
            clock,
            MOST_DELAYED);

    /** Returns the status of the answer, when there is one. */
    private CompletableFuture<Integer> ask() throws Exception {
        ServiceRequestContext context = ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/v1/gate"));
        return service.answer(context, context.request().aggregate().join())
                .thenCompose(answer -> answer.aggregate())
                .thenApply(answer -> answer.status().code())
                .toCompletableFuture();
    }

    @Test
    void delayedAnswer_isSentInItsTurn() throws Exception {
        assertThat(ask().join()).isEqualTo(200);
        CompletableFuture<Integer> second = ask();
        CompletableFuture<Integer> third = ask();

        assertThat(second).isNotDone();
        clock.advance(SECOND);
        assertThat(second.join()).isEqualTo(200);
        assertThat(third).isNotDone();
        clock.advance(SECOND);
        assertThat(third.join()).isEqualTo(200);
    }

    @Test
    void whileTooManyAnswersWait_requestsThatWouldHaveToWaitAreDenied() throws Exception {
        ask().join();
        CompletableFuture<Integer> second = ask();
        CompletableFuture<Integer> third = ask();

        assertThat(ask().join()).isEqualTo(429);
        assertThat(clock.waitingTasks()).isEqualTo(MOST_DELAYED);
        clock.advance(Duration.ofSeconds(3));
        assertThat(second.join()).isEqualTo(200);
        assertThat(third.join()).isEqualTo(200);
        assertThat(ask().join()).as("after its turn").isEqualTo(200);
        assertThat(ask()).as("room again").isNotDone();
    }
}
