package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.observe.DecisionMeters;
import org.jspecify.annotations.Nullable;

/**
 * The content and destination of the metrics of decisions.
 *
 * @param tenants the maximum number of tenants whose denials are counted by name; 0 for none
 * @param series the maximum number of metric series of decisions
 * @param otlp where the metrics are sent by OTLP, or null for nowhere
 */
public record MetricSettings(
        int tenants, int series, @Nullable OtlpSettings otlp) {
    public static final int MOST = 1_000_000;
    public static final MetricSettings DEFAULT = new MetricSettings(0, DecisionMeters.Builder.MOST_SERIES, null);

    public MetricSettings {
        Expect.between(tenants, 0, MOST, "metrics.tenants");
        Expect.between(series, 1, MOST, "metrics.series");
    }
}
