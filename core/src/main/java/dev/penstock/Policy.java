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
    private final String name;
    private final Predicate<Request> matches;
    private final List<PolicyLimit> limits;
    private final Effect effect;
    private final FailureMode onStoreFailure;
    private final Consistency consistency;
    private final int replicas;
    private final PolicyLimit[] uses;
    private final Terms[] terms;
    private final String[] counters;

    private Policy(
            String name,
            Predicate<Request> matches,
            List<PolicyLimit> limits,
            Effect effect,
            FailureMode onStoreFailure,
            Consistency consistency,
            int replicas) {
        this.name = name;
        this.matches = Expect.present(matches, "matches");
        this.limits = limits;
        this.effect = Expect.present(effect, "effect");
        this.onStoreFailure = Expect.present(onStoreFailure, "onStoreFailure");
        this.consistency = Expect.present(consistency, "consistency");
        this.replicas = (int) Expect.between(replicas, 0, Terms.MOST_REPLICAS, "replicas");
        this.uses = limits.toArray(PolicyLimit[]::new);
        Expect.between(limits.size(), 0, Ask.MOST_CHARGES, "limits");
        this.terms = new Terms[limits.size()];
        this.counters = new String[limits.size()];
        for (int i = 0; i < terms.length; i++) {
            PolicyLimit limit = limits.get(i);
            terms[i] = Terms.of(name, limit.limit())
                    .effect(effect)
                    .onStoreFailure(onStoreFailure)
                    .consistency(consistency)
                    .replicas(replicas)
                    .place(limit.place());
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
        return new Policy(
                Expect.text(name, "name"),
                request -> true,
                List.of(),
                Effect.DENY,
                FailureMode.LOCAL,
                Consistency.STRICT,
                0);
    }

    /** Applies only to requests for which this holds. It must be quick, and answer the same for the same request. */
    public Policy when(Predicate<Request> holds) {
        return new Policy(name, holds, limits, effect, onStoreFailure, consistency, replicas);
    }

    /** One more limit, counted by these attributes; by none, everyone together. */
    public Policy limit(Limit limit, String... attributes) {
        return limit(PolicyLimit.of(limit).by(attributes));
    }

    public Policy limit(PolicyLimit limit) {
        List<PolicyLimit> more = new ArrayList<>(limits);
        more.add(Expect.present(limit, "limit"));
        return new Policy(name, matches, List.copyOf(more), effect, onStoreFailure, consistency, replicas);
    }

    /** Counts and reports but never denies. */
    public Policy shadow() {
        return new Policy(name, matches, limits, Effect.OBSERVE, onStoreFailure, consistency, replicas);
    }

    public Policy onStoreFailure(FailureMode mode) {
        return new Policy(name, matches, limits, effect, mode, consistency, replicas);
    }

    public Policy consistency(Consistency choice) {
        return new Policy(name, matches, limits, effect, onStoreFailure, choice, replicas);
    }

    /** Where a primary may be lost: see {@link Terms#replicas}. */
    public Policy replicas(int count) {
        return new Policy(name, matches, limits, effect, onStoreFailure, consistency, count);
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
        return key == null ? null : Charge.of(terms[i], key, limit.cost(request));
    }

    @Override
    public String toString() {
        return name + limits;
    }
}
