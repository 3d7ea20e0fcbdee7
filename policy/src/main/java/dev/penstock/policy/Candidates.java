package dev.penstock.policy;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.policy.internal.select.Selector;
import dev.penstock.spi.Ask;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.Engine;
import dev.penstock.spi.StaticDecision;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks each candidate about the requests that its live policy decided, and reports the differences. See
 * {@code candidate_of} in the policy language.
 *
 * <p>Register it as a listener of the limiter: {@code Limiter.builder(watch).engine(engine).listener(new
 * Candidates(watch::policies, engine, report))}. After a decision is made, each matching candidate is asked separately
 * and counts on its own counters. It is asked only if the live policy affected the outcome: the request was allowed, or
 * the live policy was among those that denied it. Fallback and static decisions are not compared, and neither are denials
 * because of overload, a full store or too many new keys. While an operator has
 * put the service in shadow mode, a request counts as denied by the live policy if it exceeds one of its limits.
 *
 * <p>Thread-safe. Candidates never delay a decision; their failures are logged.
 */
public final class Candidates implements DecisionListener {
    private static final System.Logger LOG = System.getLogger(Candidates.class.getName());

    private final Supplier<Policies> policies;
    private final Limiter limiter;
    private final Consumer<Difference> report;
    /** By the names of the candidate and its live policy. */
    private final Map<Map.Entry<String, String>, Counter> counters = new ConcurrentHashMap<>();

    private static final class Counter {
        private final LongAdder same = new LongAdder();
        private final LongAdder stricter = new LongAdder();
        private final LongAdder looser = new LongAdder();
    }

    /**
     * How the decisions of a candidate compare with those of its live policy, since the process started.
     *
     * @param same requests on which both agree
     * @param stricter requests that the candidate would deny and the live policy did not
     * @param looser requests that the live policy denied and the candidate would allow
     */
    public record Comparison(long same, long stricter, long looser) {
        /** Returns the number of requests that were compared. */
        public long compared() {
            return same + stricter + looser;
        }
    }

    /**
     * Creates the listener.
     *
     * @param policies returns the version in use
     * @param engine the engine on which candidates count: the limiter's own, which stays responsible for closing it
     * @param report receives each difference; it should return quickly
     */
    public Candidates(Supplier<Policies> policies, Engine engine, Consumer<Difference> report) {
        this.policies = Expect.present(policies, "policies");
        // Asks as any limiter does, including blocks. It is never closed, because the engine belongs to another
        // limiter.
        this.limiter = Limiter.builder(request -> Ask.of())
                .engine(Expect.present(engine, "engine"))
                .build();
        this.report = Expect.present(report, "report");
    }

    @Override
    public void onDecision(Request request, Decision live) {
        onDecision(request, live, limit -> true);
    }

    /**
     * Compares a request that was decided together with others, such as one of several descriptors.
     *
     * @param live the decision on all of them
     * @param own accepts the limits of this request
     */
    public void onDecision(Request request, Decision live, Predicate<LimitStatus> own) {
        Selector selector = policies.get().selector();
        if (!selector.hasCandidates() || live.decidedBy() == DecidedBy.FALLBACK || isRuled(live)) {
            return;
        }
        for (Selector.Candidate candidate : selector.candidates(request)) {
            boolean isDenied = isDeniedBy(candidate.live(), live, own);
            if (!isDenied && !live.isAllowed()) {
                continue; // denied by another policy, or by no limit: the live policy was not charged either
            }
            limiter.askAsync(candidate.ask()).whenComplete((decision, failed) -> {
                if (failed != null) {
                    LOG.log(Level.DEBUG, "the candidate " + candidate.name() + " could not be asked", failed);
                } else if (isByLimits(decision)) {
                    compare(candidate, isDenied, live, decision);
                }
            });
        }
    }

    /**
     * Returns true for decisions by a list or a default. If policies match but no limit applies, the live policy
     * allowed it.
     */
    private static boolean isRuled(Decision live) {
        StaticDecision staticDecision = live.staticDecision();
        return staticDecision != null && !staticDecision.by().equals(StaticDecision.NO_LIMIT);
    }

    /**
     * Returns true if limits or blocks decided. Overload, a full store, a failed store or too many new keys say nothing
     * about the candidate's numbers.
     */
    private static boolean isByLimits(Decision decision) {
        return decision.decidedBy() != DecidedBy.FALLBACK
                && decision.decidedBy() != DecidedBy.NODE
                && (!(decision instanceof Denied denied)
                        || denied.reason() == Denied.Reason.LIMIT_EXCEEDED
                        || denied.reason() == Denied.Reason.BLOCKED);
    }

    private static boolean isDeniedBy(String policy, Decision decision, Predicate<LimitStatus> own) {
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded() && status.policy().equals(policy) && own.test(status)) {
                return true;
            }
        }
        return false;
    }

    private void compare(Selector.Candidate candidate, boolean isDenied, Decision live, Decision decision) {
        Counter counter =
                counters.computeIfAbsent(Map.entry(candidate.name(), candidate.live()), names -> new Counter());
        if (isDenied != decision.isAllowed()) {
            counter.same.increment();
            return;
        }
        Difference.Kind kind = isDenied ? Difference.Kind.LOOSER : Difference.Kind.STRICTER;
        (isDenied ? counter.looser : counter.stricter).increment();
        report.accept(new Difference(candidate.name(), candidate.live(), kind, live, decision));
    }

    /** Returns how the candidate with this name compares with its live policy so far. */
    public Comparison comparison(String candidate, String live) {
        Counter counter = counters.get(Map.entry(candidate, live));
        return counter == null
                ? new Comparison(0, 0, 0)
                : new Comparison(counter.same.sum(), counter.stricter.sum(), counter.looser.sum());
    }
}
