package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.observe.DecisionMeters;
import org.jspecify.annotations.Nullable;

/**
 * What the metrics tell of decisions, and where they are sent to.
 *
 * @param tenants of so many tenants denials are told by name; 0: of none
 * @param series how many series of decisions there are at most
 * @param otlp where they are sent to; null: nowhere
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
