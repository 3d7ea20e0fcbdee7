package dev.penstock.observe;

import dev.penstock.engine.EngineStack;
import dev.penstock.engine.StoreOutageListener;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import dev.penstock.spi.NewKeyListener;
import dev.penstock.spi.StackObserver;
import dev.penstock.spi.TripListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All metrics of a limiter in one object: {@code Penstock.redis(uri).observer(PenstockMeters.to(registry))}. They cover
 * decisions, their duration, and the state of Redis. {@code docs/reference/metrics.md} lists them.
 *
 * <p>Thread-safe. Use one per limiter.
 */
public final class PenstockMeters implements StackObserver {
    private final MeterRegistry registry;
    private final DecisionMeters decisions;
    private @Nullable StoreMeters store;

    private PenstockMeters(MeterRegistry registry) {
        this.registry = registry;
        this.decisions = DecisionMeters.to(registry);
    }

    /** Registers the metrics. */
    @CheckReturnValue
    public static PenstockMeters to(MeterRegistry registry) {
        return new PenstockMeters(Expect.present(registry, "registry"));
    }

    /** Registers the metrics of the store on first use, because a limiter in memory has none. */
    private synchronized StoreMeters store() {
        StoreMeters known = store;
        if (known == null) {
            known = new StoreMeters(registry);
            store = known;
        }
        return known;
    }

    @Override
    public TripListener trips() {
        return store();
    }

    @Override
    public NewKeyListener newKeys() {
        return store().newKeys();
    }

    @Override
    public StoreOutageListener outages() {
        return store();
    }

    @Override
    public List<DecisionListener> decisions() {
        return List.of(decisions);
    }

    @Override
    public void onBuilt(EngineStack stack) {
        store().onBuilt(stack);
    }

    @Override
    public Engine around(Engine engine) {
        return TimedEngine.around(engine, registry);
    }
}
