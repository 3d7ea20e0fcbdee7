package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import dev.penstock.observe.RequestOutcome.Outcome;
import dev.penstock.spi.Charge;
import dev.penstock.spi.DecisionListener;
import dev.penstock.spi.StaticDecision;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts decisions for a registry of Micrometer: {@code Limiter.builder(policies).listener(DecisionMeters.to(registry))}.
 *
 * <p>Each request is counted once, and once more for each policy that had a part in it. Counters are found by a look into a map,
 * and read when the registry is asked; nothing else is put together on the way of a request. No label bears a user, a key or an
 * address, and there are at most {@value Builder#MOST_SERIES} series unless told otherwise.
 */
public final class DecisionMeters implements DecisionListener {
    /** Where less than one part in so many is left of a limit, that is near. */
    public static final int NEAR = 10;

    private final CountsByRoute counts;
    private final DenialMeters denials;
    private final Map<DecidedBy, LongAdder> allowed;
    private final Map<DecidedBy, LongAdder> denied;
    private final LongAdder observed = new LongAdder();
    private final LongAdder overloaded = new LongAdder();

    private DecisionMeters(Builder builder, MeterRegistry registry) {
        Series series = new Series(registry, builder.mostSeries);
        TopKeys topKeys = builder.topKeys;
        this.counts = new CountsByRoute(
                builder.words, series, builder.clock, topKeys == null ? null : policy -> topKeys.keys(policy));
        this.denials = new DenialMeters(series, builder.words, builder.region, builder.mostTenants);
        this.allowed = requests(series, "allowed");
        this.denied = requests(series, "denied");
        series.counter(
                "rate.limiter.overloaded",
                "Requests answered as overloaded: this node had more than it can handle. No other counter of decisions includes them.",
                Tags.empty(),
                overloaded);
    }

    /** What counts for the registry, with the defaults of {@link Builder}. */
    public static DecisionMeters to(MeterRegistry registry) {
        return builder().to(registry);
    }

    public static Builder builder() {
        return new Builder();
    }

    private static Map<DecidedBy, LongAdder> requests(Series series, String outcome) {
        Map<DecidedBy, LongAdder> all = new EnumMap<>(DecidedBy.class);
        for (DecidedBy by : EnumSet.complementOf(EnumSet.of(DecidedBy.NODE))) {
            LongAdder counter = new LongAdder();
            all.put(by, counter);
            series.counter(
                    "rate.limiter.requests",
                    "Requests that were answered with a decision, each time that they were sent; not those that only asked what would be.",
                    Tags.of("outcome", outcome, "decided_by", AllowedBlockedCounters.lower(by)),
                    counter);
        }
        return all;
    }

    private static void add(Map<DecidedBy, LongAdder> to, DecidedBy by) {
        Expect.present(to.get(by), "by").increment();
    }

    /** Counts a request of which no listener is told. */
    public void count(RequestOutcome tally) {
        if (tally.by() == DecidedBy.NODE) {
            overloaded.increment();
            return;
        }
        boolean isAllowed = tally.whole() == Outcome.ALLOWED;
        add(isAllowed ? allowed : denied, tally.by());
        String route = null;
        for (Map.Entry<String, Outcome> policy : tally.policies().entrySet()) {
            AllowedBlockedCounters each = of(policy.getKey(), tally.asked());
            each.add(policy.getValue(), tally.by());
            route = route == null && policy.getValue() == Outcome.DENIED ? each.route() : route;
        }
        if (tally.policies().containsValue(Outcome.OBSERVED)) {
            observed.increment();
        }
        if (tally.nearLimit() != null) {
            of(tally.nearLimit(), tally.asked()).addNearLimit();
        }
        RequestOutcome.Asked asked = tally.asked();
        if (isAllowed) {
            return;
        }
        if (asked == null) {
            denials.add();
        } else {
            denials.add(route == null ? Series.NONE : route, asked.request());
        }
    }

    private AllowedBlockedCounters of(String policy, RequestOutcome.@Nullable Asked asked) {
        return asked == null ? counts.of(policy, null) : counts.of(policy, asked.request(), asked.version());
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        if (decision instanceof Denied refused && refused.reason() == Denied.Reason.ID_TAKEN) {
            return; // no policy was asked: the call is refused
        }
        DecidedBy by = decision.decidedBy();
        if (by == DecidedBy.NODE) {
            overloaded.increment();
            return; // no limit was looked at: it is no policy's denial
        }
        StaticDecision staticDecision = decision.staticDecision();
        if (decision.isAllowed()) {
            add(allowed, by);
            if (staticDecision == null) {
                countAllowed(request, decision, by);
            } else {
                countRuledAllowed(request, staticDecision, by);
            }
        } else {
            add(denied, by);
            if (staticDecision == null) {
                denials.add(countDenied(request, decision, by), request);
            } else {
                AllowedBlockedCounters ruled = of(staticDecision, request);
                ruled.add(Outcome.DENIED, by);
                denials.add(ruled.route(), request);
            }
        }
    }

    private void countRuledAllowed(Request request, StaticDecision staticDecision, DecidedBy by) {
        boolean isObserved = staticDecision.verdict() == StaticDecision.Verdict.SHADOW;
        if (isObserved) {
            observed.increment();
        }
        of(staticDecision, request).add(isObserved ? Outcome.OBSERVED : Outcome.ALLOWED, by);
    }

    /** Those of what ruled; of the policy whose key is blocked, where one is. */
    private AllowedBlockedCounters of(StaticDecision staticDecision, Request request) {
        Charge about = staticDecision.about();
        return about == null
                ? counts.of(staticDecision.by(), null)
                : of(about.settings().policy(), request, List.of(about));
    }

    private void countAllowed(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> watching = countObserved(request, decision, by);
        for (int i = 0; i < charges.size(); i++) {
            String policy = charges.get(i).settings().policy();
            if (!isBefore(i, policy, charges) && !watching.contains(policy)) {
                of(policy, request, charges).add(Outcome.ALLOWED, by);
            }
        }
        Charge near = decision.nearlySpent(NEAR);
        if (near != null) {
            of(near.settings().policy(), request, charges).addNearLimit();
        }
    }

    /** Answers the route, as it is to the first of the policies that denied. */
    private String countDenied(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> unused = countObserved(request, decision, by);
        Set<String> blamed = exceeded(decision, true);
        Charge newKey = decision instanceof Denied refused ? refused.newKey() : null;
        if (newKey != null) {
            blamed.add(newKey.settings().policy());
        }
        if (blamed.isEmpty()) { // no single limit was looked at: the request was denied to all of its policies
            charges.stream()
                    .filter(Charge::isEnforced)
                    .forEach(charge -> blamed.add(charge.settings().policy()));
        }
        String route = null;
        for (String policy : blamed) {
            AllowedBlockedCounters each = of(policy, request, charges);
            each.add(Outcome.DENIED, by);
            route = route == null ? each.route() : route;
        }
        return route == null ? Series.NONE : route;
    }

    /** Answers the policies that only watch, and would have denied. */
    private Set<String> countObserved(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> watching = areEnforced(charges) ? Set.of() : exceeded(decision, false);
        if (!watching.isEmpty()) {
            observed.increment();
            watching.forEach(policy -> of(policy, request, charges).add(Outcome.OBSERVED, by));
        }
        return watching;
    }

    private static boolean areEnforced(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).isEnforced()) {
                return false;
            }
        }
        return true;
    }

    /** The policies of the limits that were exceeded, either those that are enforced or those that are not. */
    private static Set<String> exceeded(Decision decision, boolean isEnforced) {
        Set<String> policies = new LinkedHashSet<>();
        for (LimitStatus status : decision.limits()) {
            if (status.isExceeded() && status.isEnforced() == isEnforced) {
                policies.add(status.policy());
            }
        }
        return policies;
    }

    private static boolean isBefore(int end, String policy, List<Charge> charges) {
        for (int i = 0; i < end; i++) {
            if (charges.get(i).settings().policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    private AllowedBlockedCounters of(String policy, Request request, List<Charge> charges) {
        return counts.of(policy, request, charges.get(0).settings().version());
    }

    /** All requests so far, each once. */
    DecisionTotals counted() {
        return new DecisionTotals(sum(allowed), sum(denied), observed.sum());
    }

    /** Once for every policy that had a part in them. */
    Map<String, DecisionTotals> countedByPolicy() {
        return counts.byPolicy();
    }

    /** Those that failure modes decided in the store's place. */
    long countedByFallback() {
        return Stream.of(allowed, denied)
                .mapToLong(each ->
                        Expect.present(each.get(DecidedBy.FALLBACK), "fallback").sum())
                .sum();
    }

    /** The requests that were answered as overloaded. */
    long countedOverloaded() {
        return overloaded.sum();
    }

    private static long sum(Map<DecidedBy, LongAdder> counters) {
        return counters.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** How decisions are counted. Not thread-safe. */
    public static final class Builder {
        /** How many series there are at most by default. */
        public static final int MOST_SERIES = 10_000;

        private static final int LARGEST_MOST_SERIES = 1_000_000;

        private PolicyLabels words = PolicyLabels.NONE;
        private @Nullable String region;
        private @Nullable TopKeys topKeys;
        private int mostTenants;
        private int mostSeries = MOST_SERIES;
        private Clock clock = Clock.system();

        private Builder() {}

        /** What routes and plans are called; without it they are {@code none}. */
        public Builder words(PolicyLabels other) {
            words = Expect.present(other, "words");
            return this;
        }

        /** Where this process is; {@code none} by default. */
        public Builder region(@Nullable String name) {
            region = name;
            return this;
        }

        /** The number of tenants that get their own label on denials, first come first served; the others share {@code (others)}. */
        public Builder tenants(int most) {
            mostTenants = (int) Expect.between(most, 0, LARGEST_MOST_SERIES, "tenants");
            return this;
        }

        /** Of each policy it is told how many keys it has to do with. */
        public Builder liveKeys(TopKeys from) {
            topKeys = Expect.present(from, "liveKeys");
            return this;
        }

        /** What would be more is counted under {@code (others)}. */
        public Builder mostSeries(int most) {
            mostSeries = (int) Expect.between(most, 1, LARGEST_MOST_SERIES, "mostSeries");
            return this;
        }

        /** By which rates are told. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        public DecisionMeters to(MeterRegistry registry) {
            return new DecisionMeters(this, Expect.present(registry, "registry"));
        }
    }
}
