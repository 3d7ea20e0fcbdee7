package dev.penstock.observe;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import dev.penstock.spi.StaticDecision;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DecisionTracesTest {
    private static final PolicySet POLICIES =
            Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user"));

    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    private final Tracer application = TELEMETRY.getOpenTelemetry().getTracer("application");
    private final DecisionTraces traces = new DecisionTraces(TELEMETRY.getOpenTelemetry());

    private Limiter limiter(PolicySet policies, Engine engine) {
        return Limiter.builder(policies)
                .engine(traces.around(engine))
                .listener(traces)
                .build();
    }

    private void inSpan(Runnable task) {
        Span span = application.spanBuilder("request").startSpan();
        Context.current().with(span).wrap(task).run();
        span.end();
    }

    private static List<SpanData> decisions() {
        return TELEMETRY.getSpans().stream()
                .filter(span -> span.getName().equals("penstock decide"))
                .toList();
    }

    private static String told(SpanData span, String attribute) {
        return span.getAttributes().get(stringKey("penstock." + attribute));
    }

    @Test
    void decision_isASpanBelowTheCallersSpan() {
        try (Limiter limiter = limiter(POLICIES, MemoryEngine.create())) {
            inSpan(() -> {
                limiter.decide(Request.of("user", "ann"));
                limiter.decide(Request.of("user", "ann"));
            });
        }
        SpanData request = TELEMETRY.getSpans().stream()
                .filter(span -> span.getName().equals("request"))
                .findFirst()
                .orElseThrow();

        assertThat(decisions())
                .hasSize(2)
                .allMatch(span -> span.getParentSpanId().equals(request.getSpanId())
                        && span.getTraceId().equals(request.getTraceId())
                        && span.hasEnded());
        assertThat(decisions()).extracting(span -> told(span, "outcome")).containsExactly("allowed", "denied");
        SpanData denied = decisions().get(1);
        assertThat(told(denied, "policy")).isEqualTo("users");
        assertThat(told(denied, "reason")).isEqualTo("limit_exceeded");
        assertThat(told(denied, "decided_by")).isEqualTo("store");
        assertThat(denied.getAttributes().asMap().values())
                .as("no key")
                .noneMatch(value -> String.valueOf(value).contains("ann"));
    }

    @Test
    void withoutAParentSpan_thereIsNoSpan() {
        try (Limiter limiter = limiter(POLICIES, MemoryEngine.create())) {
            limiter.decide(Request.of("user", "ann"));
        }
        assertThat(decisions()).isEmpty();
    }

    @Test
    void staticDecision_isASpan() {
        PolicySet listed = request -> Ask.of(new StaticDecision(StaticDecision.Verdict.DENY, "bad networks", null));
        try (Limiter limiter = limiter(listed, MemoryEngine.create())) {
            inSpan(() -> limiter.decide(Request.empty()));
        }
        assertThat(decisions())
                .singleElement()
                .matches(span -> "bad networks".equals(told(span, "policy")) && "denied".equals(told(span, "outcome")));
    }

    @Test
    void asynchronousAnswer_endsItsSpan() {
        CompletableFuture<Decision> later = new CompletableFuture<>();
        Engine slow = new ForwardingEngine(MemoryEngine.create()) {
            @Override
            public Reply<Decision> decide(Ask ask) {
                return Reply.later(later);
            }
        };
        Ask ask = POLICIES.match(Request.of("user", "ann"));
        inSpan(() -> {
            var unused = traces.around(slow).decide(ask);
        });
        assertThat(decisions()).isEmpty();

        later.complete(MemoryEngine.create().decide(ask).ifReady());
        assertThat(decisions()).singleElement().matches(span -> "allowed".equals(told(span, "outcome")));
    }

    @Test
    void failure_isReported() {
        Engine broken = new ForwardingEngine(MemoryEngine.create()) {
            @Override
            public Reply<Decision> decide(Ask ask) {
                return Reply.later(CompletableFuture.failedFuture(new IllegalStateException("away")));
            }
        };
        inSpan(() -> {
            var unused = traces.around(broken).decide(POLICIES.match(Request.of("user", "ann")));
        });
        assertThat(decisions()).singleElement().matches(span -> span.getStatus().getStatusCode() == StatusCode.ERROR);
    }
}
