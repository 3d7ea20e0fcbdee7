package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.penstock.server.internal.metrics.OtlpRegistry;
import dev.penstock.server.internal.net.TestServers;
import dev.penstock.testkit.LogLines;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics that are pushed, as a receiver gets them. */
class OtlpIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<ExportMetricsServiceRequest> received = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private Server receiver() {
        Server server = TestServers.builder()
                .http(0)
                .service(
                        "/v1/metrics",
                        (context, request) ->
                                HttpResponse.of(request.aggregate().thenApply(this::taken)))
                .build();
        server.start().join();
        return server;
    }

    private HttpResponse taken(AggregatedHttpRequest request) {
        try {
            received.add(ExportMetricsServiceRequest.parseFrom(request.content().array()));
            return HttpResponse.of(HttpStatus.OK);
        } catch (InvalidProtocolBufferException e) {
            return HttpResponse.of(HttpStatus.BAD_REQUEST);
        }
    }

    private static ServerSettings sending(ServerSettings settings, int port, Duration interval) {
        OtlpSettings otlp = new OtlpSettings(URI.create("http://127.0.0.1:" + port + "/v1/metrics"), interval);
        ObserveSettings observe =
                new ObserveSettings("eu-1", null, 0, 0, 1_000, new MetricSettings(0, 100, otlp), null, true);
        return settings.withObserve(observe);
    }

    private static List<Metric> metrics(ExportMetricsServiceRequest request) {
        return request.getResourceMetrics(0).getScopeMetrics(0).getMetricsList();
    }

    private static Metric metric(ExportMetricsServiceRequest request, String name) {
        return metrics(request).stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among "
                        + metrics(request).stream().map(Metric::getName).toList()));
    }

    private static String label(List<KeyValue> labels, String key) {
        return labels.stream()
                .filter(each -> each.getKey().equals(key))
                .map(each -> each.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    @Test
    void metrics_areSentRepeatedly_andOnceMoreOnClose() throws Exception {
        try (Server receiver = receiver()) {
            try (TestService service = TestService.start(
                    directory, settings -> sending(settings, receiver.activeLocalPort(), Duration.ofSeconds(1)))) {
                await().atMost(LONG).until(() -> received.size() >= 2);
                for (int i = 0; i < 5; i++) {
                    service.check("zebedee");
                }
                assertThat(MetricsIT.scrape(service)).contains("rate_limiter_allowed_total{policy=\"api\"");
            }
            ExportMetricsServiceRequest last = received.get(received.size() - 1);

            List<NumberDataPoint> allowed =
                    metric(last, "rate.limiter.allowed").getSum().getDataPointsList();
            assertThat(allowed)
                    .filteredOn(
                            point -> label(point.getAttributesList(), "policy").equals("api"))
                    .singleElement()
                    .satisfies(point -> {
                        assertThat(point.getAsDouble()).isEqualTo(3);
                        assertThat(label(point.getAttributesList(), "route")).isEqualTo("/api/**");
                    });
            assertThat(metric(last, "http.429").getSum().getDataPoints(0).getAsDouble())
                    .isEqualTo(2);
            assertThat(metric(last, "rate.limiter.decision")
                            .getHistogram()
                            .getDataPoints(0)
                            .getCount())
                    .isEqualTo(5);
            List<KeyValue> resource = last.getResourceMetrics(0).getResource().getAttributesList();
            assertThat(label(resource, "service.name")).isEqualTo("penstock");
            assertThat(label(resource, "cloud.region")).isEqualTo("eu-1");
            assertThat(last.toString()).doesNotContain("zebedee").doesNotContain("/api/x");
        }
    }

    @Test
    void unreachableReceiver_delaysNothing_andIsLoggedOnce() throws Exception {
        int port;
        try (Server gone = receiver()) {
            port = gone.activeLocalPort();
        }
        try (LogLines log = LogLines.of(OtlpRegistry.class);
                TestService service =
                        TestService.start(directory, settings -> sending(settings, port, Duration.ofSeconds(1)))) {
            assertThat(service.check("ann")).isTrue();
            await().atMost(LONG).until(() -> !log.all().isEmpty());
            try (Server back = TestServers.builder()
                    .http(port)
                    .service(
                            "/v1/metrics",
                            (context, request) ->
                                    HttpResponse.of(request.aggregate().thenApply(this::taken)))
                    .build()) {
                back.start().join();
                await().atMost(LONG).until(() -> log.all().size() >= 2);
            }
            String url = "http://127.0.0.1:" + port + "/v1/metrics";
            assertThat(log.all().get(0)).startsWith("WARNING metrics cannot be sent to " + url + ": ");
            assertThat(log.all().get(1)).isEqualTo("INFO metrics are sent to " + url + " again");
        }
        assertThat(metric(received.get(0), "rate.limiter.allowed").getSum().getDataPointsCount())
                .isPositive();
    }
}
