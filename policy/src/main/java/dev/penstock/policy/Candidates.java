package dev.penstock.policy;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
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
import java.util.function.Supplier;

/**
 * Decides with candidates what their live policies decided, and tells where they differ; see {@code candidate_of}.
 *
 * <p>A listener of the limiter: {@code Limiter.builder(watch).engine(engine).listener(new Candidates(watch::policies, engine,
 * report))}. A candidate is asked by itself, on its own counters, after the decision was made, and only where its live
 * policy had a say: where the request passed, or the live policy was one that denied it. What a fallback or a list decided
 * is not compared. Thread-safe; never holds up a decision, and what it fails in is logged.
 */
public final class Candidates implements DecisionListener {
    private static final System.Logger LOG = System.getLogger(Candidates.class.getName());

    private final Supplier<Policies> policies;
    private final Limiter limiter;
    private final Consumer<Difference> report;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private static final class Counter {
        private final LongAdder alike = new LongAdder();
        private final LongAdder stricter = new LongAdder();
        private final LongAdder looser = new LongAdder();
    }

    /**
     * How often a candidate decided, since the process began.
     *
     * @param alike like its live policy
     * @param stricter denied what that let pass
     * @param looser let pass what that denied
     */
    public record Tally(long alike, long stricter, long looser) {}

    /**
     * @param policies the version in use
     * @param engine where candidates count; the limiter's own, which closes it
     * @param report is told each difference, and should be quick
     */
    public Candidates(Supplier<Policies> policies, Engine engine, Consumer<Difference> report) {
        this.policies = Expect.present(policies, "policies");
        // Asks as any limiter does, blocks included; it is never closed, since the engine is another's.
        this.limiter = Limiter.builder(request -> Ask.of())
                .engine(Expect.present(engine, "engine"))
                .build();
        this.report = Expect.present(report, "report");
    }

    @Override
    public void onDecision(Request request, Decision live) {
        Selector selector = policies.get().selector();
        if (!selector.hasCandidates() || live.decidedBy() == DecidedBy.FALLBACK || isRuled(live)) {
            return;
        }
        for (Selector.Candidate candidate : selector.candidates(request)) {
            boolean passed = live.isAllowed() || !isDeniedBy(candidate.live(), live);
            if (passed && !live.isAllowed()) {
                continue; // another policy denied it: the live one was not charged either
            }
            limiter.askAsync(candidate.ask()).whenComplete((decision, failed) -> {
                if (failed != null) {
                    LOG.log(Level.DEBUG, "the candidate " + candidate.name() + " could not be asked", failed);
                } else if (decision.decidedBy() != DecidedBy.FALLBACK) {
                    compare(candidate, live, decision);
                }
            });
        }
    }

    /** By a list or a default; where policies match and no limit applies, the live one let it pass. */
    private static boolean isRuled(Decision live) {
        StaticDecision staticDecision = live.staticDecision();
        return staticDecision != null && !staticDecision.by().equals(StaticDecision.NO_LIMIT);
    }

    private static boolean isDeniedBy(String policy, Decision decision) {
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded() && status.isEnforced() && status.policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    private void compare(Selector.Candidate candidate, Decision live, Decision decision) {
        Counter counter = counters.computeIfAbsent(candidate.name(), name -> new Counter());
        if (live.isAllowed() == decision.isAllowed()) {
            counter.alike.increment();
            return;
        }
        Difference.Kind kind = live.isAllowed() ? Difference.Kind.STRICTER : Difference.Kind.LOOSER;
        (live.isAllowed() ? counter.stricter : counter.looser).increment();
        report.accept(new Difference(candidate.name(), candidate.live(), kind, live, decision));
    }

    /** How often the candidate of that name decided so far. */
    public Tally tally(String candidate) {
        Counter counter = counters.get(candidate);
        return counter == null
                ? new Tally(0, 0, 0)
                : new Tally(counter.alike.sum(), counter.stricter.sum(), counter.looser.sum());
    }
}
