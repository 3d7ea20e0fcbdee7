package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.FieldChoices;
import dev.penstock.spi.PolicySet;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Lists under one key, with a manual clock. */
class CheckServiceTest {
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final PolicySet policies =
            Policy.setOf(Policy.named("api").limit(Limit.fixedWindow(2, Duration.ofDays(1)), "user"));
    private final Limiter limiter = Limiter.builder(policies)
            .engine(MemoryEngine.builder().clock(clock).build())
            .build();
    private final CheckService service = new CheckService(limiter, policies, new DecisionFields(FieldChoices.USUAL));

    private AggregatedHttpResponse check(String... users) throws Exception {
        StringBuilder list = new StringBuilder("[");
        for (String user : users) {
            list.append(list.length() == 1 ? "" : ",").append("{\"attributes\":{\"user\":\"" + user + "\"}}");
        }
        RequestHeaders headers = RequestHeaders.builder(HttpMethod.POST, "/v1/check")
                .contentType(MediaType.JSON)
                .add("Idempotency-Key", "k1")
                .build();
        ServiceRequestContext context = ServiceRequestContext.of(
                HttpRequest.of(headers, HttpData.ofUtf8(list.append(']').toString())));
        return service.serve(context, context.request()).aggregate().join();
    }

    private long remaining(String user) {
        return limiter.peek(Request.of("user", user)).limits().get(0).remaining();
    }

    /** An item that was denied first and allowed in a later call is remembered for longer than the key. */
    @Test
    void expiredKeyOfAList_anotherListIsChargedOnlyIfAnswered() throws Exception {
        limiter.decide(Request.of("user", "bob"));
        limiter.decide(Request.of("user", "bob"));
        assertThat(check("ann", "bob").contentUtf8()).contains("\"allowed\":true", "\"allowed\":false");
        clock.advance(HALF_A_MINUTE);
        assertThat(check("ann", "bob").contentUtf8()).contains("\"allowed\":true", "\"allowed\":false");
        assertThat(check("cid", "dan").status().code()).isEqualTo(422);

        clock.advance(HALF_A_MINUTE);
        AggregatedHttpResponse other = check("cid", "dan");

        assertThat(other.status().code()).as(other.contentUtf8()).isEqualTo(200);
        assertThat(remaining("cid")).isEqualTo(1);
        assertThat(remaining("dan")).isEqualTo(1);
    }
}
