package dev.penstock.server.internal.metrics;

import dev.penstock.Clock;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyFailure;
import dev.penstock.policy.PolicyListener;
import dev.penstock.spi.Engine;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** All metrics of a service: what it counts itself, and what {@linkplain #also others} tell when asked. */
public final class ServiceMetrics implements PolicyListener {
    private final DecisionMetrics decisions = new DecisionMetrics();
    private final Latency latency = new Latency();
    private final LongAdder loaded = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private volatile Consumer<MetricSnapshots.Builder> others = into -> {};

    /** What counts decisions. */
    public DecisionMetrics decisions() {
        return decisions;
    }

    /** The engine, its time taken. */
    public Engine timed(Engine engine) {
        return new TimedEngine(engine, latency, Clock.system());
    }

    /** Tells more, of which is known only once all is built. */
    public void also(Consumer<MetricSnapshots.Builder> more) {
        others = others.andThen(more);
    }

    @Override
    public void onLoaded(Policies policies) {
        loaded.increment();
    }

    @Override
    public void onRejected(PolicyFailure failure) {
        rejected.increment();
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder()
                .metricSnapshot(decisions.requests())
                .metricSnapshot(decisions.decisions())
                .metricSnapshot(latency.snapshot())
                .metricSnapshot(CounterSnapshot.builder()
                        .name("penstock_policies_changes")
                        .help("Changes of the policy files since the start: taken into use, or rejected.")
                        .dataPoint(Gauges.counted(Labels.of("result", "loaded"), loaded.sum()))
                        .dataPoint(Gauges.counted(Labels.of("result", "rejected"), rejected.sum()))
                        .build());
        others.accept(all);
        ProcessMetrics.tell(all);
        return all.build();
    }
}
