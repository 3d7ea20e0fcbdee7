package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.observe.DecisionMeters;

/**
 * What the metrics tell of decisions.
 *
 * @param tenants of so many tenants denials are told by name; 0: of none
 * @param series how many series of decisions there are at most
 */
public record MetricSettings(int tenants, int series) {
    public static final int MOST = 1_000_000;
    public static final MetricSettings DEFAULT = new MetricSettings(0, DecisionMeters.Builder.MOST_SERIES);

    public MetricSettings {
        Expect.between(tenants, 0, MOST, "metrics.tenants");
        Expect.between(series, 1, MOST, "metrics.series");
    }
}
