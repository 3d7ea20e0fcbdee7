package dev.penstock;

import dev.penstock.internal.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A named rule of an application's own making: what it matches, its limits, and what happens when they are exceeded or
 * the store fails.
 *
 * <p>Immutable. {@code Policy.named("api").limit(Limit.tokenBucket(100, Duration.ofMinutes(1)), "user")}.
 */
public final class Policy {
    /** What holds for all of a policy's limits. */
    private record Choices(
            Effect effect,
            FailureMode onStoreFailure,
            Consistency consistency,
            int replicas,
            @Nullable String colocate) {
        private static final Choices USUAL = new Choices(Effect.DENY, FailureMode.LOCAL, Consistency.STRICT, 0, null);

        Terms terms(String policy, PolicyLimit limit) {
            return Terms.of(policy, limit.limit())
                    .effect(effect)
                    .onStoreFailure(onStoreFailure)
                    .consistency(consistency)
                    .replicas(replicas)
                    .place(limit.place());
        }
    }

    private final String name;
    private final Predicate<Request> matches;
    private final List<PolicyLimit> limits;
    private final Choices choices;
    private final @Nullable String colocate;
    private final PolicyLimit[] uses;
    private final Terms[] terms;
    private final String[] counters;

    private Policy(String name, Predicate<Request> matches, List<PolicyLimit> limits, Choices choices) {
        this.name = name;
        this.matches = Expect.present(matches, "matches");
        this.limits = limits;
        this.choices = choices;
        this.colocate = choices.colocate;
        Expect.between(limits.size(), 0, Ask.MOST_CHARGES, "limits");
        this.uses = new PolicyLimit[limits.size()];
        this.terms = new Terms[limits.size()];
        this.counters = new String[limits.size()];
        for (int i = 0; i < terms.length; i++) {
            PolicyLimit limit = limits.get(i).alsoBy(colocate);
            uses[i] = limit;
            terms[i] = choices.terms(name, limit);
            counters[i] = limit.counterIn(name);
            for (int k = 0; k < i; k++) {
                boolean same = counters[i].equals(counters[k])
                        && limit.limit()
                                .rule()
                                .shape()
                                .equals(limits.get(k).limit().rule().shape());
                Expect.that(
                        !same,
                        "limits[" + i + "].id",
                        limit.limit().id(),
                        "an id of its own; limits[" + k + "] counts under the same name");
            }
        }
    }

    /** A policy that matches every request and has no limit yet. */
    public static Policy named(String name) {
        return new Policy(Expect.text(name, "name"), request -> true, List.of(), Choices.USUAL);
    }

    /** Applies only to requests for which this holds. It must be quick, and answer the same for the same request. */
    public Policy when(Predicate<Request> holds) {
        return new Policy(name, holds, limits, choices);
    }

    /** One more limit, counted by these attributes; by none, everyone together. */
    public Policy limit(Limit limit, String... attributes) {
        return limit(PolicyLimit.of(limit).by(attributes));
    }

    public Policy limit(PolicyLimit limit) {
        List<PolicyLimit> more = new ArrayList<>(limits);
        more.add(Expect.present(limit, "limit"));
        return new Policy(name, matches, List.copyOf(more), choices);
    }

    /** Counts and reports but never denies. */
    public Policy shadow() {
        return with(new Choices(
                Effect.OBSERVE, choices.onStoreFailure, choices.consistency, choices.replicas, choices.colocate));
    }

    public Policy onStoreFailure(FailureMode mode) {
        Expect.present(mode, "onStoreFailure");
        return with(new Choices(choices.effect, mode, choices.consistency, choices.replicas, choices.colocate));
    }

    public Policy consistency(Consistency choice) {
        Expect.present(choice, "consistency");
        return with(new Choices(choices.effect, choices.onStoreFailure, choice, choices.replicas, choices.colocate));
    }

    /** Where a primary may be lost: see {@link Terms#replicas}. */
    public Policy replicas(int count) {
        Expect.between(count, 0, Terms.MOST_REPLICAS, "replicas");
        return with(new Choices(choices.effect, choices.onStoreFailure, choices.consistency, count, choices.colocate));
    }

    /**
     * Keeps all accounts of one value of that attribute together where a store is spread over shards, so that they are
     * decided in one trip. So every limit of the policy is counted by that attribute too: one on {@code user} under
     * {@code colocate("tenant")} is one on each tenant's user.
     */
    public Policy colocate(String attribute) {
        Expect.text(attribute, "colocate");
        return with(
                new Choices(choices.effect, choices.onStoreFailure, choices.consistency, choices.replicas, attribute));
    }

    private Policy with(Choices other) {
        return new Policy(name, matches, limits, other);
    }

    public String name() {
        return name;
    }

    public List<PolicyLimit> limits() {
        return limits;
    }

    boolean hasOneLimit() {
        return terms.length == 1;
    }

    @Nullable
    Charge onlyCharge(Request request) {
        return matches.test(request) ? charge(0, request) : null;
    }

    void addCharges(Request request, List<Charge> charges) {
        if (!matches.test(request)) {
            return;
        }
        for (int i = 0; i < terms.length; i++) {
            Charge charge = charge(i, request);
            if (charge != null) {
                charges.add(charge);
            }
        }
    }

    private @Nullable Charge charge(int i, Request request) {
        PolicyLimit limit = uses[i];
        Key key = limit.key(counters[i], request);
        if (key == null) {
            return null;
        }
        Charge charge = Charge.of(terms[i], key, limit.cost(request));
        return colocate == null ? charge : colocated(charge, colocate, request);
    }

    private static Charge colocated(Charge charge, String attribute, Request request) {
        String value = request.attribute(attribute);
        return value == null ? charge : charge.colocation(value);
    }

    @Override
    public String toString() {
        return name + limits;
    }
}
