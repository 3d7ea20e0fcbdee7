package dev.penstock;

import dev.penstock.Denied.Action;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicySet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A named rule of an application's own making: what it matches, its limits, and what happens when they are exceeded or
 * the store fails.
 *
 * <p>Immutable. {@code Policy.named("api").limit(Limit.tokenBucket(100, Duration.ofMinutes(1)), "user")}.
 */
@CheckReturnValue
public final class Policy {
    /** How a limit is kept across nodes. The limit is never exceeded under either. */
    public enum Consistency {
        /** Every decision is the store's. */
        STRICT,
        /** A node may draw permits ahead and spend them in its own memory, where a key is hot. */
        LEASED
    }

    /** A placeholder: the settings that all limits of a policy share need some limit. */
    private static final Limit ANY = Limit.tokenBucket(1, Duration.ofSeconds(1));

    private final String name;
    private final Predicate<Request> matches;
    private final List<PolicyLimit> limits;

    /** What holds for all of its limits. */
    private final LimitSettings common;

    private final @Nullable String colocate;
    private final PolicyLimit[] uses;
    private final LimitSettings[] settings;
    private final String[] counters;

    private Policy(
            LimitSettings common, Predicate<Request> matches, List<PolicyLimit> limits, @Nullable String colocate) {
        this.name = common.policy();
        this.common = common;
        this.matches = Expect.present(matches, "matches");
        this.limits = limits;
        this.colocate = colocate;
        Expect.between(limits.size(), 0, Ask.MOST_CHARGES, "limits");
        this.uses = new PolicyLimit[limits.size()];
        this.settings = new LimitSettings[limits.size()];
        this.counters = new String[limits.size()];
        for (int i = 0; i < settings.length; i++) {
            PolicyLimit limit = limits.get(i).alsoBy(colocate);
            uses[i] = limit;
            settings[i] = limit.settings(common);
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

    /** All of these policies together; each one's name must be its own. */
    public static PolicySet setOf(Policy... policies) {
        List<Policy> all = Arrays.asList(Expect.present(policies, "policies").clone());
        all.forEach(policy -> Expect.present(policy, "policy"));
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                Expect.that(
                        !all.get(i).name().equals(all.get(k).name()),
                        "policies[" + i + "].name",
                        all.get(i).name(),
                        "a name of its own; policies[" + k + "] has it");
            }
        }
        return new PolicyList(all);
    }

    /** A policy that matches every request and has no limit yet. */
    public static Policy named(String name) {
        return new Policy(LimitSettings.of(Expect.text(name, "name"), ANY), request -> true, List.of(), null);
    }

    /** Applies only to requests for which this holds. It must be quick, and answer the same for the same request. */
    public Policy when(Predicate<Request> holds) {
        return new Policy(common, holds, limits, colocate);
    }

    /** One more limit, counted by these attributes; by none, everyone together. */
    public Policy limit(Limit limit, String... attributes) {
        return limit(PolicyLimit.of(limit).by(attributes));
    }

    public Policy limit(PolicyLimit limit) {
        List<PolicyLimit> more = new ArrayList<>(limits);
        more.add(Expect.present(limit, "limit"));
        return new Policy(common, matches, List.copyOf(more), colocate);
    }

    /** Counts and reports but never denies. */
    public Policy shadow() {
        return with(common.enforcement(Enforcement.SHADOW));
    }

    /** What the caller is to do where one of the limits denies; {@link Action#DENY} by default. */
    public Policy action(Action choice) {
        return with(common.action(choice));
    }

    /** Uses one failure mode for the whole outage; {@code LOCAL} by default. */
    public Policy onStoreFailure(FailureMode mode) {
        return with(common.onStoreFailure(mode));
    }

    /** Sets what the limits do while the store does not answer. A limit may have a plan of its own. */
    public Policy onStoreFailure(FailurePlan plan) {
        return with(common.onStoreFailure(plan));
    }

    public Policy consistency(Consistency choice) {
        return with(common.consistency(choice));
    }

    /** Where a primary may be lost: see {@link LimitSettings#replicas}. */
    public Policy replicas(int count) {
        return with(common.replicas(count));
    }

    /**
     * Keeps all accounts of one value of that attribute together where a store is spread over shards, so that they are
     * decided in one trip. So every limit of the policy is counted by that attribute too: one on {@code user} under
     * {@code colocate("tenant")} is one on each tenant's user.
     */
    public Policy colocate(String attribute) {
        return new Policy(common, matches, limits, Expect.text(attribute, "colocate"));
    }

    private Policy with(LimitSettings changed) {
        return new Policy(changed, matches, limits, colocate);
    }

    public String name() {
        return name;
    }

    public List<PolicyLimit> limits() {
        return limits;
    }

    boolean hasOneLimit() {
        return settings.length == 1;
    }

    @Nullable
    Charge onlyCharge(Request request) {
        return matches.test(request) ? charge(0, request) : null;
    }

    void addCharges(Request request, List<Charge> charges) {
        if (!matches.test(request)) {
            return;
        }
        for (int i = 0; i < settings.length; i++) {
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
        Charge charge = Charge.of(settings[i], key, limit.cost(request));
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
