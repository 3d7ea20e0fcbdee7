package dev.penstock.cli;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Denied.Action;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.policy.Candidates;
import dev.penstock.policy.Difference;
import dev.penstock.policy.Policies;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions for a number of equal requests at one moment, none of which ever releases what it holds. They are made
 * by a limiter in this process that has counted nothing before.
 *
 * @param afterwards the state of each limit at the end
 */
record RequestTrial(List<RequestRange> stretches, List<LimitStatus> afterwards) {
    /** The maximum number of requests. They are decided one after the other. */
    static final long MOST = 1_000_000;

    /**
     * Consecutive requests with the same outcome.
     *
     * @param from the number of the first request, counted from 1
     * @param shortest the shortest delay by a leaky bucket among them
     */
    record RequestRange(long from, long to, Outcome outcome, Duration shortest, Duration longest) {
        long size() {
            return to - from + 1;
        }
    }

    /**
     * The outcome of a request.
     *
     * @param deniedBy the denying limit with the longest wait; null if none denied
     * @param blocked true if that limit denied because its key is blocked
     * @param staticDecision the decision made without counting; null if limits decided
     * @param shadowDenials the limits of shadow policies that would have denied
     * @param variances the candidates that differ from their live policies
     */
    record Outcome(
            boolean allowed,
            @Nullable LimitName deniedBy,
            boolean blocked,
            @Nullable StaticDecision staticDecision,
            @Nullable Retry retry,
            @Nullable Action action,
            List<LimitName> shadowDenials,
            List<Variance> variances) {
        private static Outcome of(Decision decision, List<Variance> variances) {
            List<LimitName> shadowDenials =
                    decision.shadowDenials().stream().map(LimitName::of).toList();
            LimitStatus binding = decision.binding();
            return decision instanceof Denied denied
                    ? new Outcome(
                            false,
                            binding == null ? null : LimitName.of(binding),
                            denied.reason() == Denied.Reason.BLOCKED,
                            decision.staticDecision(),
                            denied.retry(),
                            denied.action(),
                            shadowDenials,
                            variances)
                    : new Outcome(true, null, false, decision.staticDecision(), null, null, shadowDenials, variances);
        }
    }

    /** A candidate that differs from its live policy. */
    record Variance(String candidate, Difference.Kind kind) {}

    /**
     * Names a limit of a policy. Two limits of a policy can have the same id, but then count under different counters.
     */
    record LimitName(String policy, String id, String counter) {
        static LimitName of(LimitStatus status) {
            return new LimitName(
                    status.policy(), status.limit().id(), status.key().counter());
        }

        @Override
        public String toString() {
            return policy + " " + id + " (" + counter + ")";
        }
    }

    static RequestTrial of(Policies policies, Request request, long times, Clock standing) {
        List<RequestRange> stretches = new ArrayList<>();
        List<LimitStatus> afterwards = List.of();
        List<Variance> variances = new ArrayList<>();
        MemoryEngine engine = MemoryEngine.builder().clock(standing).build();
        // The engine and the candidates on it answer at once, that is, before the decision is returned.
        Candidates candidates = new Candidates(
                () -> policies,
                engine,
                difference -> variances.add(new Variance(difference.candidateName(), difference.kind())));
        try (Limiter limiter = Limiter.builder(policies)
                .engine(engine)
                .clock(standing)
                .listener(candidates)
                .build()) {
            for (long number = 1; number <= times; number++) {
                variances.clear();
                Decision decision = limiter.decide(request);
                add(stretches, number, decision, List.copyOf(variances));
                if (number == times) {
                    afterwards = decision.limits();
                }
            }
        }
        return new RequestTrial(stretches, afterwards);
    }

    private static void add(List<RequestRange> stretches, long number, Decision decision, List<Variance> variances) {
        Outcome outcome = Outcome.of(decision, variances);
        Duration delay = decision instanceof Allowed allowed ? allowed.delay() : Duration.ZERO;
        RequestRange last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
        if (last == null || !last.outcome().equals(outcome)) {
            stretches.add(new RequestRange(number, number, outcome, delay, delay));
        } else {
            Duration shortest = delay.compareTo(last.shortest()) < 0 ? delay : last.shortest();
            Duration longest = delay.compareTo(last.longest()) > 0 ? delay : last.longest();
            stretches.set(stretches.size() - 1, new RequestRange(last.from(), number, outcome, shortest, longest));
        }
    }

    long allowed() {
        return stretches.stream()
                .filter(each -> each.outcome().allowed())
                .mapToLong(RequestRange::size)
                .sum();
    }
}
