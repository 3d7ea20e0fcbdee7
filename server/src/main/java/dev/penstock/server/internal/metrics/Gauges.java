package dev.penstock.server.internal.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** Metrics of values that are known elsewhere, and read when they are told. */
public final class Gauges {
    private Gauges() {}

    public static GaugeSnapshot.Builder named(String name, String help) {
        return GaugeSnapshot.builder().name(name).help(help);
    }

    public static GaugeSnapshot of(String name, String help, Number value) {
        return named(name, help).dataPoint(point(Labels.EMPTY, value)).build();
    }

    public static GaugeSnapshot.GaugeDataPointSnapshot point(Labels labels, Number value) {
        return GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(value.doubleValue())
                .build();
    }

    /** A counter; its name is given without {@code _total}. */
    public static CounterSnapshot counter(String name, String help, Number value) {
        return CounterSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(counted(Labels.EMPTY, value))
                .build();
    }

    public static CounterSnapshot.CounterDataPointSnapshot counted(Labels labels, Number value) {
        return CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(labels)
                .value(value.doubleValue())
                .build();
    }
}
