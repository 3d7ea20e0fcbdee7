package dev.penstock.server.internal.metrics;

import dev.penstock.Clock;
import dev.penstock.policy.Candidates;
import dev.penstock.policy.Candidates.Comparison;
import dev.penstock.policy.Difference;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyListener;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.spi.Engine;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Counts how the decisions of candidates compare with those of their live policies, and logs that they differ, at most
 * once a minute for each candidate. Thread-safe.
 */
public final class CandidateMeters implements PolicyListener {
    private static final System.Logger LOG = System.getLogger(CandidateMeters.class.getName());
    private static final long LOG_EVERY_MICROS = 60_000_000;

    private final MeterRegistry registry;
    private final Clock clock;
    private final Set<Map.Entry<String, String>> registered = new HashSet<>();
    private final Map<String, Long> loggedAtMicros = new HashMap<>();
    private @Nullable Candidates candidates;

    public CandidateMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** Returns a listener for the limiter that compares decisions on the engine, and starts to count. */
    public synchronized Candidates start(PolicyWatch policies, Engine engine) {
        Candidates started = new Candidates(policies::policies, engine, this::log);
        candidates = started;
        register(policies.policies(), started);
        return started;
    }

    @Override
    public synchronized void onLoaded(Policies policies) {
        if (candidates != null) {
            register(policies, candidates);
        }
    }

    private void register(Policies policies, Candidates from) {
        for (Map.Entry<String, String> each : policies.candidates().entrySet()) {
            if (registered.add(Map.entry(each.getKey(), each.getValue()))) {
                register(each, from, "same", Comparison::same);
                register(each, from, "stricter", Comparison::stricter);
                register(each, from, "looser", Comparison::looser);
            }
        }
    }

    private void register(
            Map.Entry<String, String> candidate, Candidates from, String result, ToDoubleFunction<Comparison> count) {
        String name = candidate.getKey();
        String live = candidate.getValue();
        FunctionCounter.builder(
                        "rate.limiter.candidate.requests", from, all -> count.applyAsDouble(all.comparison(name, live)))
                .description(
                        "Requests that a candidate and its live policy both decided, by result: same, stricter (only"
                                + " the candidate would deny) or looser (only the live policy denied).")
                .tag("policy", name)
                .tag("candidate_of", live)
                .tag("result", result)
                .register(registry);
    }

    private void log(Difference difference) {
        Candidates from;
        synchronized (this) {
            long now = clock.micros();
            Long last = loggedAtMicros.get(difference.candidateName());
            if (candidates == null || (last != null && now - last < LOG_EVERY_MICROS && now >= last)) {
                return;
            }
            loggedAtMicros.put(difference.candidateName(), now);
            from = candidates;
        }
        Comparison all = from.comparison(difference.candidateName(), difference.liveName());
        LOG.log(
                Level.INFO,
                "the candidate {0} differs from {1}: of {2} requests since this node started, it would deny {3} that {1} allowed,"
                        + " and allow {4} that {1} denied",
                difference.candidateName(),
                difference.liveName(),
                all.compared(),
                all.stricter(),
                all.looser());
    }
}
