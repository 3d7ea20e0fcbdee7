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
 * What a number of equal requests at one moment would meet, none of them ever giving back what it holds: decided by a
 * limiter in this process that has counted nothing before.
 *
 * @param afterwards how each limit stands in the end
 */
record RequestTrial(List<Stretch> stretches, List<LimitStatus> afterwards) {
    /** So many at most: they are decided one after the other. */
    static final long MOST = 1_000_000;

    /**
     * Requests in a row that met the same.
     *
     * @param from the first of them, counted from 1
     * @param shortest delay of any of them, by a leaky bucket
     */
    record Stretch(long from, long to, Outcome outcome, Duration shortest, Duration longest) {
        long size() {
            return to - from + 1;
        }
    }

    /**
     * What a request met.
     *
     * @param deniedBy the limit that takes longest to fit; null where none denied
     * @param blocked whether it denied because its key is blocked
     * @param staticDecision what was ruled without counting; null where limits decided
     * @param observed the limits of shadow policies that would have denied
     * @param variances the candidates that differ from their live policies
     */
    record Outcome(
            boolean allowed,
            @Nullable LimitName deniedBy,
            boolean blocked,
            @Nullable StaticDecision staticDecision,
            @Nullable Retry retry,
            @Nullable Action action,
            List<LimitName> observed,
            List<Variance> variances) {
        private static Outcome of(Decision decision, List<Variance> variances) {
            List<LimitName> observed =
                    decision.observedDenials().stream().map(LimitName::of).toList();
            LimitStatus binding = decision.binding();
            return decision instanceof Denied denied
                    ? new Outcome(
                            false,
                            binding == null ? null : LimitName.of(binding),
                            denied.reason() == Denied.Reason.BLOCKED,
                            decision.staticDecision(),
                            denied.retry(),
                            denied.action(),
                            observed,
                            variances)
                    : new Outcome(true, null, false, decision.staticDecision(), null, null, observed, variances);
        }
    }

    /** A candidate that differs from its live policy. */
    record Variance(String candidate, Difference.Kind kind) {}

    /** A limit of a policy; two of one policy can have the same id, and then differ in what they count under. */
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
        List<Stretch> stretches = new ArrayList<>();
        List<LimitStatus> afterwards = List.of();
        List<Variance> variances = new ArrayList<>();
        MemoryEngine engine = MemoryEngine.builder().clock(standing).build();
        // The engine answers at once, and so do the candidates on it: before the decision is returned.
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

    private static void add(List<Stretch> stretches, long number, Decision decision, List<Variance> variances) {
        Outcome outcome = Outcome.of(decision, variances);
        Duration delay = decision instanceof Allowed allowed ? allowed.delay() : Duration.ZERO;
        Stretch last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
        if (last == null || !last.outcome().equals(outcome)) {
            stretches.add(new Stretch(number, number, outcome, delay, delay));
        } else {
            Duration shortest = delay.compareTo(last.shortest()) < 0 ? delay : last.shortest();
            Duration longest = delay.compareTo(last.longest()) > 0 ? delay : last.longest();
            stretches.set(stretches.size() - 1, new Stretch(last.from(), number, outcome, shortest, longest));
        }
    }

    long allowed() {
        return stretches.stream()
                .filter(each -> each.outcome().allowed())
                .mapToLong(Stretch::size)
                .sum();
    }
}
