package dev.penstock.observe;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.StaticDecision;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Records decisions as OpenTelemetry spans named {@code penstock decide}, below the caller's span, with the policy, the
 * outcome and how it was decided. Spans contain no keys. Without a parent span, none is created.
 *
 * <p>To trace the decisions of an engine, wrap the engine with {@link #around}. To trace static decisions, which never
 * reach an engine, also add this object as a listener of the limiter.
 */
public final class DecisionTraces implements DecisionListener {
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("penstock.outcome");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("penstock.reason");
    private static final AttributeKey<String> POLICY = AttributeKey.stringKey("penstock.policy");
    private static final AttributeKey<String> LIMIT = AttributeKey.stringKey("penstock.limit");
    private static final AttributeKey<String> DECIDED_BY = AttributeKey.stringKey("penstock.decided_by");
    private static final AttributeKey<Boolean> PEEK = AttributeKey.booleanKey("penstock.peek");
    private static final String NAME = "penstock decide";

    private final Tracer tracer;
    private final Supplier<Context> present;

    /** Creates spans below the span that is current on the calling thread. */
    public DecisionTraces(OpenTelemetry telemetry) {
        this(telemetry, Context::current);
    }

    /**
     * Creates spans below the span of the given context.
     *
     * @param present returns the caller's context
     */
    public DecisionTraces(OpenTelemetry telemetry, Supplier<Context> present) {
        this.tracer = Expect.present(telemetry, "telemetry").getTracer("dev.penstock");
        this.present = Expect.present(present, "present");
    }

    /** Returns an engine that traces the decisions of the given one. */
    public Engine around(Engine engine) {
        return new Traced(Expect.present(engine, "engine"));
    }

    /** Records static decisions, for which no engine was asked. */
    @Override
    public void onDecision(Request request, Decision decision) {
        if (decision.staticDecision() != null) {
            end(start(present.get()), decision);
        }
    }

    private Span start(Context parent) {
        return Span.fromContext(parent).getSpanContext().isValid()
                ? tracer.spanBuilder(NAME).setParent(parent).startSpan()
                : Span.getInvalid();
    }

    private static void end(Span span, Decision decision) {
        if (span.isRecording()) {
            span.setAttribute(OUTCOME, decision.isAllowed() ? "allowed" : "denied");
            span.setAttribute(DECIDED_BY, lower(decision.decidedBy()));
            if (decision instanceof Denied denied) {
                span.setAttribute(REASON, lower(denied.reason()));
            }
            by(span, decision);
        }
        span.end();
    }

    /** Adds what decided: a static decision, or the most relevant limit. */
    private static void by(Span span, Decision decision) {
        StaticDecision staticDecision = decision.staticDecision();
        LimitStatus binding = staticDecision == null ? decision.binding() : null;
        Charge newKey = decision instanceof Denied denied ? denied.newKey() : null;
        List<Charge> charges = newKey == null ? decision.charges() : List.of(newKey);
        if (staticDecision != null) {
            span.setAttribute(POLICY, staticDecision.by());
        } else if (binding != null) {
            span.setAttribute(POLICY, binding.policy());
            span.setAttribute(LIMIT, binding.limit().id());
        } else if (!charges.isEmpty()) {
            span.setAttribute(POLICY, charges.get(0).settings().policy());
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Wraps an engine and creates a span for each of its decisions. */
    private final class Traced extends ForwardingEngine {
        Traced(Engine engine) {
            super(engine);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            Span span = start(present.get());
            if (span.isRecording() && ask.purpose() == Ask.Purpose.PEEK) {
                span.setAttribute(PEEK, true);
            }
            Reply<Decision> reply;
            try {
                reply = inner.decide(ask);
            } catch (Throwable e) {
                failed(span, e);
                throw e;
            }
            Decision ready = reply.ifReady();
            if (ready != null) {
                end(span, ready);
                return reply;
            }
            return Reply.later(reply.whenReady().whenComplete((decision, failure) -> {
                if (failure == null) {
                    end(span, decision);
                } else {
                    failed(span, failure);
                }
            }));
        }

        private void failed(Span span, Throwable failure) {
            span.setStatus(StatusCode.ERROR, "the engine " + name() + " failed");
            span.recordException(failure);
            span.end();
        }
    }
}
