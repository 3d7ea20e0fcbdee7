package dev.penstock.server.internal.metrics;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.AbstractHttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * {@code GET /metrics}: returns the metrics in the Prometheus text format, or in OpenMetrics if the client asks for it.
 */
public final class MetricsService extends AbstractHttpService {
    private static final ExpositionFormatWriter PROMETHEUS = PrometheusTextFormatWriter.create();
    private static final ExpositionFormatWriter OPEN_METRICS = OpenMetricsTextFormatWriter.create();

    private final ServiceMetrics metrics;

    public MetricsService(ServiceMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    protected HttpResponse doGet(ServiceRequestContext context, HttpRequest request) {
        String accepted = request.headers().get("accept", "");
        ExpositionFormatWriter writer = OPEN_METRICS.accepts(accepted) ? OPEN_METRICS : PROMETHEUS;
        ByteArrayOutputStream out = new ByteArrayOutputStream(8 << 10);
        try {
            writer.write(out, metrics.snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return HttpResponse.of(
                ResponseHeaders.of(HttpStatus.OK, "content-type", writer.getContentType()),
                HttpData.wrap(out.toByteArray()));
    }
}
