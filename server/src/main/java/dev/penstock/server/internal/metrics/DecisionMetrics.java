package dev.penstock.server.internal.metrics;

import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.DecisionListener;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.Ruling;
import dev.penstock.internal.Expect;
import dev.penstock.server.internal.metrics.Tally.Outcome;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts decisions: each request once, and once more for each policy that had a part in it. A policy's counters are found
 * by its name, which is hashed once a version of the policies; nothing else is looked up or put together on the way of a
 * request.
 */
public final class DecisionMetrics implements DecisionListener {
    /** Names come from files; this bounds what many versions of them can leave behind. */
    private static final int MOST_POLICIES = 10_000;

    private static final String OTHERS = "(others)";

    private final Counters requests = new Counters();
    private final Map<String, Counters> byPolicy = new ConcurrentHashMap<>();

    /** One counter for each outcome and each who decided. */
    private static final class Counters {
        private final Map<Outcome, Map<DecidedBy, LongAdder>> counts = new EnumMap<>(Outcome.class);

        Counters() {
            for (Outcome outcome : Outcome.values()) {
                Map<DecidedBy, LongAdder> each = new EnumMap<>(DecidedBy.class);
                for (DecidedBy by : DecidedBy.values()) {
                    each.put(by, new LongAdder());
                }
                counts.put(outcome, each);
            }
        }

        void add(Outcome outcome, DecidedBy by) {
            Expect.present(Expect.present(counts.get(outcome), "outcome").get(by), "by")
                    .increment();
        }

        /** Adds a point for each that is not zero, with these labels before its own. */
        void tell(Labels first, CounterSnapshot.Builder into) {
            counts.forEach((outcome, each) -> each.forEach((by, counter) -> {
                long count = counter.sum();
                if (count > 0) {
                    Labels own = Labels.of("outcome", lower(outcome), "decided_by", lower(by));
                    into.dataPoint(Gauges.counted(first.merge(own), count));
                }
            }));
        }
    }

    /** Counts a request of which no listener is told. */
    public void count(Tally tally) {
        requests.add(tally.whole(), tally.by());
        tally.policies().forEach((policy, outcome) -> of(policy).add(outcome, tally.by()));
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        if (decision instanceof Denied denied && denied.reason() == Denied.Reason.ID_TAKEN) {
            return; // no policy was asked: the call is refused
        }
        DecidedBy by = decision.decidedBy();
        Outcome whole = decision.isAllowed() ? Outcome.ALLOWED : Outcome.DENIED;
        requests.add(whole, by);
        Ruling ruling = decision.ruling();
        if (ruling != null) {
            of(ruling.by()).add(whole, by);
            return;
        }
        List<Charge> charges = decision.charges();
        if (decision.isAllowed() && areEnforced(charges)) {
            countEach(charges, Set.of(), Outcome.ALLOWED, by);
        } else {
            countByLimits(decision, charges, by);
        }
    }

    private static boolean areEnforced(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).isEnforced()) {
                return false;
            }
        }
        return true;
    }

    private void countByLimits(Decision decision, List<Charge> charges, DecidedBy by) {
        Set<String> denied = new HashSet<>();
        Set<String> observed = new HashSet<>();
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded()) {
                (status.isEnforced() ? denied : observed).add(status.policy());
            }
        }
        observed.forEach(policy -> of(policy).add(Outcome.OBSERVED, by));
        if (decision.isAllowed()) {
            countEach(charges, observed, Outcome.ALLOWED, by);
        } else if (denied.isEmpty()) { // no single limit was looked at: the request was denied to all of its policies
            countEach(charges.stream().filter(Charge::isEnforced).toList(), observed, Outcome.DENIED, by);
        } else {
            denied.forEach(policy -> of(policy).add(Outcome.DENIED, by));
        }
    }

    /** Each policy of the charges once. */
    private void countEach(List<Charge> charges, Set<String> except, Outcome outcome, DecidedBy by) {
        for (int i = 0; i < charges.size(); i++) {
            String policy = charges.get(i).terms().policy();
            if (!isBefore(i, policy, charges) && !except.contains(policy)) {
                of(policy).add(outcome, by);
            }
        }
    }

    private static boolean isBefore(int end, String policy, List<Charge> charges) {
        for (int i = 0; i < end; i++) {
            if (charges.get(i).terms().policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    private Counters of(String policy) {
        Counters known = byPolicy.get(policy);
        if (known != null) {
            return known;
        }
        String name = byPolicy.size() < MOST_POLICIES ? policy : OTHERS;
        return byPolicy.computeIfAbsent(name, unused -> new Counters());
    }

    CounterSnapshot requests() {
        CounterSnapshot.Builder all = CounterSnapshot.builder()
                .name("penstock_requests")
                .help(
                        "Requests that were answered with a decision, each time that they were sent; not those that only asked what would be.");
        requests.tell(Labels.EMPTY, all);
        return all.build();
    }

    CounterSnapshot decisions() {
        CounterSnapshot.Builder all = CounterSnapshot.builder()
                .name("penstock_decisions")
                .help(
                        "What policies did about requests: each request once for every policy that had a part in its decision.");
        new TreeMap<>(byPolicy).forEach((policy, counters) -> counters.tell(Labels.of("policy", policy), all));
        return all.build();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
