package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.observe.DecisionLog;
import dev.penstock.observe.DecisionMeters;
import dev.penstock.observe.History;
import dev.penstock.observe.LineFile;
import dev.penstock.observe.LogChoices;
import dev.penstock.observe.PolicyLabels;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.observe.StoreMeters;
import dev.penstock.observe.Tail;
import dev.penstock.observe.TimedEngine;
import dev.penstock.observe.TopKeys;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What watches the decisions of a service: it counts them, knows who asks most, and may write down what was decided. */
final class Observability implements AutoCloseable {
    private static final Duration SPAN = Duration.ofMinutes(1);
    private static final Duration AFTER_A_SECOND = Duration.ofMillis(1);
    private static final long LARGEST_FILE = 100L << 20;
    private static final int FILES_KEPT = 5;

    private final boolean isOn;
    private final MeterRegistry registry;
    private final TopKeys topKeys;
    private final Tail tail;
    private final @Nullable DecisionLog log;
    private final DecisionMeters meters;
    private final History history;
    private final @Nullable Tracing tracing;
    private final ScheduledExecutorService turning;

    private Observability(
            boolean isOn,
            MeterRegistry registry,
            TopKeys topKeys,
            Tail tail,
            @Nullable DecisionLog log,
            DecisionMeters meters,
            History history,
            @Nullable Tracing tracing) {
        this.isOn = isOn;
        this.registry = registry;
        this.topKeys = topKeys;
        this.tail = tail;
        this.log = log;
        this.meters = meters;
        this.history = history;
        this.tracing = tracing;
        this.turning = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "penstock-observing");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** @param store is told how it stands with the store; null where there is none */
    static Observability start(
            ObserveSettings settings, PolicyWatch policies, MeterRegistry registry, @Nullable StoreMeters store) {
        Clock clock = Clock.system();
        Words words = new Words(policies);
        Path file = settings.log();
        DecisionLog log = null;
        if (file != null) {
            LogChoices choices = new LogChoices(
                    settings.loggedDenials(),
                    settings.loggedOthers(),
                    () -> Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS));
            LineFile lines = new LineFile(file, LARGEST_FILE, FILES_KEPT);
            log = new DecisionLog(choices, words, settings.region(), lines, clock);
            log.bindTo(registry);
        }
        TopKeys topKeys = new TopKeys(clock, settings.hotPerSecond());
        topKeys.bindTo(registry);
        DecisionMeters meters = DecisionMeters.builder()
                .words(words)
                .region(settings.region())
                .tenants(settings.metrics().tenants())
                .mostSeries(settings.metrics().series())
                .liveKeys(topKeys)
                .to(registry);
        URI collector = settings.traces();
        Tracing tracing = collector == null ? null : Tracing.to(collector);
        Observability started = new Observability(
                settings.watched(),
                registry,
                topKeys,
                new Tail(words, settings.region()),
                log,
                meters,
                new History(meters, store, clock),
                tracing);
        var unused = started.turning.scheduleAtFixedRate(
                started.topKeys::turn, SPAN.toSeconds(), SPAN.toSeconds(), TimeUnit.SECONDS);
        started.turnNextSecond();
        return started;
    }

    /** Shortly after a second is over, by the clock; a timer of its own would drift away from that. */
    private void turnNextSecond() {
        var unused = turning.schedule(
                () -> {
                    try {
                        history.turn();
                    } finally {
                        turnNextSecond();
                    }
                },
                history.untilNext().plus(AFTER_A_SECOND).toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /** Counts what was decided, and is no decision of the limiter's. */
    void count(RequestOutcome tally) {
        if (isOn) {
            meters.count(tally);
        }
    }

    /** Those who are told of each decision that has no other way to be counted. */
    void watch(Request request, Decision decision) {
        if (!isOn) {
            return;
        }
        topKeys.onDecision(request, decision);
        tail.onDecision(request, decision);
        if (log != null) {
            log.onDecision(request, decision);
        }
    }

    /** Those who are told of each decision. */
    List<DecisionListener> listeners() {
        List<DecisionListener> listeners = new ArrayList<>();
        if (!isOn) {
            return listeners;
        }
        listeners.add(meters);
        listeners.add(this::watch);
        if (tracing != null) {
            listeners.addAll(tracing.listeners());
        }
        return listeners;
    }

    /** The engine, with a watch on how long it takes, and traced where that is asked for. */
    Engine around(Engine engine) {
        if (!isOn) {
            return engine;
        }
        Engine timed = TimedEngine.around(engine, registry);
        return tracing == null ? timed : tracing.around(timed);
    }

    /** What was decided in each of the last seconds. */
    History history() {
        return history;
    }

    TopKeys topKeys() {
        return topKeys;
    }

    /** Decisions as they are made. */
    Tail tail() {
        return tail;
    }

    /** Null where nothing is written down. */
    @Nullable
    DecisionLog log() {
        return log;
    }

    @Override
    public void close() {
        turning.shutdownNow();
        if (log != null) {
            log.close();
        }
        if (tracing != null) {
            tracing.close();
        }
    }

    /** The words of the policies that are in use. */
    private record Words(PolicyWatch policies) implements PolicyLabels {
        @Override
        public List<String> keyParts(String counter) {
            return policies.policies().keyParts(counter);
        }

        @Override
        public @Nullable String route(String policy, Request request) {
            return policies.policies().route(policy, request);
        }

        @Override
        public @Nullable String plan(Request request) {
            return policies.policies().plan(request);
        }
    }
}
