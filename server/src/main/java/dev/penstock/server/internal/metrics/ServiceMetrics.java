package dev.penstock.server.internal.metrics;

import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyListener;
import dev.penstock.server.ObserveSettings;
import dev.penstock.server.OtlpSettings;
import dev.penstock.spi.PolicyVersion;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.function.Supplier;

/**
 * All metrics of a service: those that other classes bind to its registry, and those of the policies and the process.
 */
public final class ServiceMetrics implements PolicyListener, AutoCloseable {
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterRegistry registry;
    private final Counter loaded;
    private final Counter rejected;
    private final MultiGauge info;

    public ServiceMetrics(ObserveSettings settings) {
        OtlpSettings otlp = settings.metrics().otlp();
        this.registry = otlp == null
                ? prometheus
                : new CompositeMeterRegistry(
                        Clock.SYSTEM, List.of(prometheus, OtlpRegistry.start(otlp, settings.region())));
        this.loaded = reloads("loaded");
        this.rejected = reloads("rejected");
        this.info = MultiGauge.builder("rate.limiter.policies.info")
                .description(
                        "Always 1. The label is the hash of the policies, which is the same on every node that has them.")
                .register(registry);
        new ProcessMeters().bindTo(registry);
    }

    private Counter reloads(String result) {
        return Counter.builder("rate.limiter.policies.reloads")
                .description("Changes of the policy files since startup, loaded or rejected.")
                .tag("result", result)
                .register(registry);
    }

    /** Returns the registry to bind meters to. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Adds the number of connections of an open port. */
    public void connections(String port, Supplier<Number> count) {
        Gauge.builder("rate.limiter.connections", count)
                .description("Open connections by port.")
                .tag("port", port)
                .register(registry);
    }

    /** Adds the number of bytes held for clients, and its maximum. */
    public void buffers(Supplier<Number> bytes, long mostBytes) {
        Gauge.builder("rate.limiter.client.buffer.max", () -> mostBytes)
                .description("Maximum for rate_limiter_client_buffer_bytes: the setting clients.buffer_bytes.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("rate.limiter.client.buffer", bytes)
                .description("Bytes held for clients that do not read their answers or do not finish their requests.")
                .baseUnit("bytes")
                .register(registry);
    }

    /** Records the version of the policies that is now in use. */
    public void inUse(PolicyVersion version) {
        info.register(List.of(MultiGauge.Row.of(Tags.of("hash", version.hash()), 1)), true);
    }

    @Override
    public void onLoaded(Policies policies) {
        loaded.increment();
        inUse(policies.version());
    }

    @Override
    public void onRejected(PolicyFailure failure) {
        rejected.increment();
    }

    MetricSnapshots snapshots() {
        return prometheus.getPrometheusRegistry().scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
