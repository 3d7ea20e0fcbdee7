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

/** All metrics of a service: what others bind to its registry, its policies, and the process. */
public final class ServiceMetrics implements PolicyListener, AutoCloseable {
    private final PrometheusMeterRegistry told = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterRegistry registry;
    private final Counter loaded;
    private final Counter rejected;
    private final MultiGauge info;

    public ServiceMetrics(ObserveSettings settings) {
        OtlpSettings otlp = settings.metrics().otlp();
        this.registry = otlp == null
                ? told
                : new CompositeMeterRegistry(Clock.SYSTEM, List.of(told, OtlpRegistry.start(otlp, settings.region())));
        this.loaded = reloads("loaded");
        this.rejected = reloads("rejected");
        this.info = MultiGauge.builder("rate.limiter.policies.info")
                .description("1, with the hash of the policies: the same on every node that has them.")
                .register(registry);
        new ProcessMeters().bindTo(registry);
    }

    private Counter reloads(String result) {
        return Counter.builder("rate.limiter.policies.reloads")
                .description("Changes of the policy files since the start: taken into use, or rejected.")
                .tag("result", result)
                .register(registry);
    }

    /** What meters are bound to. */
    public MeterRegistry registry() {
        return registry;
    }

    /** A port that is open now, and how many connections it has. */
    public void connections(String port, Supplier<Number> count) {
        Gauge.builder("rate.limiter.connections", count)
                .description("Connections that are open, by port.")
                .tag("port", port)
                .register(registry);
    }

    /** The bytes that are held for clients, and the most that may be. */
    public void buffers(Supplier<Number> bytes, long mostBytes) {
        Gauge.builder("rate.limiter.client.buffer.max", () -> mostBytes)
                .description("The most bytes of that kind that the process holds: clients.buffer_bytes.")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("rate.limiter.client.buffer", bytes)
                .description("Bytes of answers that clients do not read and of bodies that they do not finish.")
                .baseUnit("bytes")
                .register(registry);
    }

    /** The version of the policies that is in use. */
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
        return told.getPrometheusRegistry().scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
