package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.observe.DecisionLog;
import dev.penstock.observe.DecisionMeters;
import dev.penstock.observe.History;
import dev.penstock.observe.LineFile;
import dev.penstock.observe.LogChoices;
import dev.penstock.observe.MissingAttribute;
import dev.penstock.observe.PolicyLabels;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.observe.StoreMeters;
import dev.penstock.observe.Tail;
import dev.penstock.observe.TimedEngine;
import dev.penstock.observe.TopKeys;
import dev.penstock.policy.Candidates;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.admin.KeyParts;
import dev.penstock.server.internal.envoy.AnswerListener;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Watches the decisions of a service: counts them, finds the top keys, and may log and trace them. */
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

    /** @param store the meters of the store; null on a node without one */
    static Observability start(
            ObserveSettings settings, KeyParts parts, MeterRegistry registry, @Nullable StoreMeters store) {
        Clock clock = Clock.system();
        CurrentLabels words = new CurrentLabels(parts.policies(), parts);
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

    /** Runs shortly after each full second of the clock. A timer with a fixed period would drift away from it. */
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

    /** Counts a request of Envoy's service, which the limiter's listeners do not count. */
    void count(RequestOutcome tally) {
        if (isOn) {
            meters.count(tally);
        }
    }

    /**
     * Returns the listener of Envoy's service, whose requests the limiter's listeners do not see.
     *
     * @param candidates compares each descriptor
     */
    AnswerListener ofEnvoy(Candidates candidates) {
        return new AnswerListener() {
            @Override
            public void onDecision(Request request, Decision decision) {
                if (isOn) {
                    meters.countMissing(decision);
                    watch(request, decision);
                }
            }

            @Override
            public void onDescriptor(Request descriptor, Decision answer, Predicate<LimitStatus> own) {
                candidates.onDecision(descriptor, answer, own);
            }
        };
    }

    /** Returns how many requests lacked an attribute that their policy counts by. */
    List<MissingAttribute> missing() {
        return meters.missing();
    }

    /** Reports a decision to everything that watches, except the meters. */
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

    /** Returns the listeners of the limiter. */
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

    /** Returns the engine, timed, and also traced if tracing is on. */
    Engine around(Engine engine) {
        if (!isOn) {
            return engine;
        }
        Engine timed = TimedEngine.around(engine, registry);
        return tracing == null ? timed : tracing.around(timed);
    }

    /** Returns the number of decisions in each of the last seconds. */
    History history() {
        return history;
    }

    TopKeys topKeys() {
        return topKeys;
    }

    /** Returns the live stream of decisions. */
    Tail tail() {
        return tail;
    }

    /** Returns the decision log, or null if there is none. */
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

    /** The labels of the policies in use. */
    private record CurrentLabels(PolicyWatch policies, KeyParts parts) implements PolicyLabels {
        @Override
        public List<String> keyParts(String counter) {
            return parts.of(counter);
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
