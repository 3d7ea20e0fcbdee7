package dev.penstock.server;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.observe.DecisionTraces;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import io.netty.util.AsciiString;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Traces the decisions of callers that trace. Each decision is a span below the caller's span, which the request names
 * in the W3C Trace Context headers, over HTTP and gRPC alike. Spans are sent by OTLP over HTTP.
 */
final class Tracing implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final String TRACES = "/v1/traces";
    private static final String TRACE_PARENT = "traceparent";
    private static final TextMapGetter<RequestHeaders> HEADERS = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(RequestHeaders headers) {
            return headers.names().stream().map(AsciiString::toString).toList();
        }

        @Override
        public @Nullable String get(@Nullable RequestHeaders headers, String name) {
            return headers == null ? null : headers.get(name);
        }
    };

    private final OpenTelemetrySdk telemetry;
    private final DecisionTraces traces;

    private Tracing(OpenTelemetrySdk telemetry) {
        this.telemetry = telemetry;
        this.traces = new DecisionTraces(telemetry, Tracing::caller);
    }

    /** @param collector the address of the OTLP collector: {@code http://host:4318} */
    static Tracing to(URI collector) {
        String path = collector.getPath();
        boolean isWhole = path != null && path.length() > 1;
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(
                        isWhole
                                ? collector.toString()
                                : collector.resolve(TRACES).toString())
                .build();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().toBuilder()
                        .put("service.name", "penstock")
                        .build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                .build();
        return new Tracing(
                OpenTelemetrySdk.builder().setTracerProvider(provider).build());
    }

    /** Returns the trace context of the request that this thread is serving. */
    private static Context caller() {
        ServiceRequestContext request = ServiceRequestContext.currentOrNull();
        if (request == null || !request.request().headers().contains(TRACE_PARENT)) {
            return Context.root();
        }
        return W3CTraceContextPropagator.getInstance()
                .extract(Context.root(), request.request().headers(), HEADERS);
    }

    Engine around(Engine engine) {
        return traces.around(engine);
    }

    List<DecisionListener> listeners() {
        return List.of(traces);
    }

    /** Sends the remaining spans and waits at most a second for that. */
    @Override
    public void close() {
        telemetry.shutdown().join(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    }
}
