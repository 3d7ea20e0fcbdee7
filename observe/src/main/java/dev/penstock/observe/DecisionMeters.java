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
 * Counts decisions for a Micrometer registry: {@code Limiter.builder(policies).listener(DecisionMeters.to(registry))}.
 *
 * <p>Each request is counted once in total, and once for each policy that took part. A request only looks up its
 * counters in a map and increments them; the registry reads them when it is scraped. No label contains a user, a key or
 * an address. By default there are at most {@value Builder#MOST_SERIES} series.
 */
public final class DecisionMeters implements DecisionListener {
    /** A limit counts as nearly exhausted if less than 1/{@value} of it is left. */
    public static final int NEAR = 10;

    private final CountsByRoute counts;
    private final DenialMeters denials;
    private final MissingAttributes missing;
    private final Map<DecidedBy, LongAdder> allowed;
    private final Map<DecidedBy, LongAdder> denied;
    private final LongAdder shadowDenied = new LongAdder();
    private final LongAdder overloaded = new LongAdder();

    private DecisionMeters(Builder builder, MeterRegistry registry) {
        Series series = new Series(registry, builder.mostSeries);
        TopKeys topKeys = builder.topKeys;
        this.counts = new CountsByRoute(
                builder.words, series, builder.clock, topKeys == null ? null : policy -> topKeys.keys(policy));
        this.denials = new DenialMeters(series, builder.words, builder.region, builder.mostTenants);
        this.missing = new MissingAttributes(series, builder.clock);
        this.allowed = requests(series, "allowed");
        this.denied = requests(series, "denied");
        series.counter(
                "rate.limiter.overloaded",
                "Requests answered as overloaded because this node had more requests than it could handle. No other decision counter includes them.",
                Tags.empty(),
                overloaded);
    }

    /** Creates a listener that counts for the registry, with the defaults of {@link Builder}. */
    public static DecisionMeters to(MeterRegistry registry) {
        return builder().to(registry);
    }

    /** Returns a builder with default settings. */
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
                    "Decisions by outcome, including repeated requests, excluding peeks.",
                    Tags.of("outcome", outcome, "decided_by", AllowedBlockedCounters.lower(by)),
                    counter);
        }
        return all;
    }

    private static void add(Map<DecidedBy, LongAdder> to, DecidedBy by) {
        Expect.present(to.get(by), "by").increment();
    }

    /** Counts a request that no listener is notified of. */
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
        if (tally.policies().containsValue(Outcome.SHADOW_DENIED)) {
            shadowDenied.increment();
        }
        if (tally.nearLimit() != null) {
            of(tally.nearLimit(), tally.asked()).addNearLimit();
        }
        RequestOutcome.Input asked = tally.asked();
        if (isAllowed) {
            return;
        }
        if (asked == null) {
            denials.add();
        } else {
            denials.add(route == null ? Series.NONE : route, asked.request());
        }
    }

    /** Counts the missing attributes of a request that no listener is notified of. */
    public void countMissing(Decision decision) {
        if (decision.decidedBy() != DecidedBy.NODE) {
            missing.count(decision);
        }
    }

    /** Returns how many requests lacked an attribute that their policy counts by, sorted by policy and attribute. */
    public List<MissingAttribute> missing() {
        return missing.counted();
    }

    private AllowedBlockedCounters of(String policy, RequestOutcome.@Nullable Input asked) {
        return asked == null ? counts.of(policy, null) : counts.of(policy, asked.request(), asked.version());
    }

    @Override
    public void onDecision(Request request, Decision decision) {
        if (decision instanceof Denied refused && refused.reason() == Denied.Reason.ID_TAKEN) {
            return; // no policy was asked: the call was refused
        }
        DecidedBy by = decision.decidedBy();
        if (by == DecidedBy.NODE) {
            overloaded.increment();
            return; // no limit was asked, so this is not a policy's denial
        }
        missing.count(decision);
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
        boolean isShadow = staticDecision.verdict() == StaticDecision.Verdict.SHADOW;
        if (isShadow) {
            shadowDenied.increment();
        }
        of(staticDecision, request).add(isShadow ? Outcome.SHADOW_DENIED : Outcome.ALLOWED, by);
    }

    /** Returns the counters of a static decision. If a key is blocked, these are its policy's. */
    private AllowedBlockedCounters of(StaticDecision staticDecision, Request request) {
        Charge about = staticDecision.about();
        return about == null
                ? counts.of(staticDecision.by(), null)
                : of(about.settings().policy(), request, List.of(about));
    }

    private void countAllowed(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> shadows = countShadowDenied(request, decision, by);
        for (int i = 0; i < charges.size(); i++) {
            String policy = charges.get(i).settings().policy();
            if (!isBefore(i, policy, charges) && !shadows.contains(policy)) {
                of(policy, request, charges).add(Outcome.ALLOWED, by);
            }
        }
        Charge near = decision.nearlySpent(NEAR);
        if (near != null) {
            of(near.settings().policy(), request, charges).addNearLimit();
        }
    }

    /** Counts a denial. Returns the route as the first denying policy names it. */
    private String countDenied(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> unused = countShadowDenied(request, decision, by);
        Set<String> blamed = exceeded(decision, true);
        Charge newKey = decision instanceof Denied refused ? refused.newKey() : null;
        if (newKey != null) {
            blamed.add(newKey.settings().policy());
        }
        if (blamed.isEmpty()) { // no single limit was asked: the request was denied on behalf of all its policies
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

    /** Counts the shadow policies that would have denied, and returns them. */
    private Set<String> countShadowDenied(Request request, Decision decision, DecidedBy by) {
        List<Charge> charges = decision.charges();
        Set<String> shadows = areEnforced(charges) ? Set.of() : exceeded(decision, false);
        if (!shadows.isEmpty()) {
            shadowDenied.increment();
            shadows.forEach(policy -> of(policy, request, charges).add(Outcome.SHADOW_DENIED, by));
        }
        return shadows;
    }

    private static boolean areEnforced(List<Charge> charges) {
        for (int i = 0; i < charges.size(); i++) {
            if (!charges.get(i).isEnforced()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the policies whose limits were exceeded, either enforced ones or those in shadow mode. */
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

    /** Returns the totals of all requests, each counted once. */
    DecisionTotals counted() {
        return new DecisionTotals(sum(allowed), sum(denied), shadowDenied.sum());
    }

    /** Returns the totals by policy. A request counts for every policy that took part. */
    Map<String, DecisionTotals> countedByPolicy() {
        return counts.byPolicy();
    }

    /** Returns the number of requests that failure modes decided instead of the store. */
    long countedByFallback() {
        return Stream.of(allowed, denied)
                .mapToLong(each ->
                        Expect.present(each.get(DecidedBy.FALLBACK), "fallback").sum())
                .sum();
    }

    /** Returns the number of requests that were answered as overloaded. */
    long countedOverloaded() {
        return overloaded.sum();
    }

    private static long sum(Map<DecidedBy, LongAdder> counters) {
        return counters.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** Configures how decisions are counted. Not thread-safe. */
    public static final class Builder {
        /** The default maximum number of series. */
        public static final int MOST_SERIES = 10_000;

        private static final int LARGEST_MOST_SERIES = 1_000_000;

        private PolicyLabels words = PolicyLabels.NONE;
        private @Nullable String region;
        private @Nullable TopKeys topKeys;
        private int mostTenants;
        private int mostSeries = MOST_SERIES;
        private Clock clock = Clock.system();

        private Builder() {}

        /** Sets the source of route and plan names. Without it they are {@code none}. */
        public Builder words(PolicyLabels other) {
            words = Expect.present(other, "words");
            return this;
        }

        /** Sets where this process runs. The default is {@code none}. */
        public Builder region(@Nullable String name) {
            region = name;
            return this;
        }

        /**
         * Sets the number of tenants that get their own label on denials, first come, first served. The rest share
         * {@code (others)}.
         */
        public Builder tenants(int most) {
            mostTenants = (int) Expect.between(most, 0, LARGEST_MOST_SERIES, "tenants");
            return this;
        }

        /** Sets the source for the number of live keys of each policy. */
        public Builder liveKeys(TopKeys from) {
            topKeys = Expect.present(from, "liveKeys");
            return this;
        }

        /** Sets the maximum number of series. Everything beyond it is counted under {@code (others)}. */
        public Builder mostSeries(int most) {
            mostSeries = (int) Expect.between(most, 1, LARGEST_MOST_SERIES, "mostSeries");
            return this;
        }

        /** Sets the clock for rates. */
        public Builder clock(Clock other) {
            clock = Expect.present(other, "clock");
            return this;
        }

        /** Creates the listener and registers its meters. */
        public DecisionMeters to(MeterRegistry registry) {
            return new DecisionMeters(this, Expect.present(registry, "registry"));
        }
    }
}
