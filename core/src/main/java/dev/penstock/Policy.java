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
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A named rule: which requests it matches, its limits, and what happens when they are exceeded or the store fails.
 *
 * <p>Immutable. Every method returns a new policy: {@code Policy.named("api").limit(Limit.tokenBucket(100,
 * Duration.ofMinutes(1)), "user")}.
 */
@CheckReturnValue
public final class Policy {
    /**
     * The place where a limit is decided if several nodes share a store. The limit is never exceeded with either value.
     */
    public enum Consistency {
        /** The store makes every decision. */
        STRICT,
        /** A node may draw permits of busy keys from the store in advance and spend them in its own memory. */
        LEASED
    }

    /** A placeholder in the settings that all limits of a policy share. The settings of each limit replace it. */
    private static final Limit ANY = Limit.tokenBucket(1, Duration.ofSeconds(1));

    private final String name;
    private final Predicate<Request> matches;
    private final List<PolicyLimit> limits;

    /** Settings shared by all limits. */
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
        int charges = limits.stream().mapToInt(PolicyLimit::charges).sum();
        Expect.that(
                charges <= Ask.MOST_CHARGES,
                "limits",
                limits.size() + " limits with " + (charges - limits.size()) + " blocks",
                "at most " + Ask.MOST_CHARGES + " limits and blocks");
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
                        "a unique id; limits[" + k + "] counts under the same name");
            }
        }
    }

    /** Returns a set of these policies. Each must have its own name. */
    public static PolicySet setOf(Policy... policies) {
        List<Policy> all = Arrays.asList(Expect.present(policies, "policies").clone());
        all.forEach(policy -> Expect.present(policy, "policy"));
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                Expect.that(
                        !all.get(i).name().equals(all.get(k).name()),
                        "policies[" + i + "].name",
                        all.get(i).name(),
                        "a unique name; policies[" + k + "] has it");
            }
        }
        return new PolicyList(all);
    }

    /** Returns a policy that matches every request and has no limit yet. */
    public static Policy named(String name) {
        return new Policy(LimitSettings.of(Expect.text(name, "name"), ANY), request -> true, List.of(), null);
    }

    /**
     * Restricts the policy to requests that the condition accepts. The condition must be fast, and must always return
     * the same result for the same request.
     */
    public Policy when(Predicate<Request> holds) {
        return new Policy(common, holds, limits, colocate);
    }

    /**
     * Adds a limit that counts each combination of these attributes separately. Without attributes, it counts all
     * requests together.
     */
    public Policy limit(Limit limit, String... attributes) {
        return limit(PolicyLimit.of(limit).by(attributes));
    }

    /** Adds a limit with settings of its own. */
    public Policy limit(PolicyLimit limit) {
        List<PolicyLimit> more = new ArrayList<>(limits);
        more.add(Expect.present(limit, "limit"));
        return new Policy(common, matches, List.copyOf(more), colocate);
    }

    /** Makes this a shadow policy, which counts and reports but never denies. */
    public Policy shadow() {
        return with(common.enforcement(Enforcement.SHADOW));
    }

    /**
     * Sets the action that the caller should take on a request that one of the limits denies. The default is {@link
     * Action#DENY}.
     */
    public Policy action(Action choice) {
        return with(common.action(choice));
    }

    /** Sets one failure mode for a whole outage. The default is {@code LOCAL}. */
    public Policy onStoreFailure(FailureMode mode) {
        return with(common.onStoreFailure(mode));
    }

    /** Sets what happens while the store does not answer. A limit may have its own plan. */
    public Policy onStoreFailure(FailurePlan plan) {
        return with(common.onStoreFailure(plan));
    }

    /** Sets whether nodes may draw permits in advance. The default is {@link Consistency#STRICT}. */
    public Policy consistency(Consistency choice) {
        return with(common.consistency(choice));
    }

    /**
     * Requires that this many replicas acknowledge a charge before the request is allowed. See {@link
     * LimitSettings#replicas}.
     */
    public Policy replicas(int count) {
        return with(common.replicas(count));
    }

    /**
     * Keeps all accounts of one value of this attribute on one shard, so that they are decided in one round trip.
     *
     * <p>Every limit of the policy then also counts by this attribute. For example, a limit on {@code user} under
     * {@code colocate("tenant")} counts each user of each tenant.
     */
    public Policy colocate(String attribute) {
        return new Policy(common, matches, limits, Expect.text(attribute, "colocate"));
    }

    private Policy with(LimitSettings changed) {
        return new Policy(changed, matches, limits, colocate);
    }

    /** Returns the name of the policy. */
    public String name() {
        return name;
    }

    /** Returns the limits in the order in which they were added. */
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

    void addUnits(Set<String> units) {
        limits.forEach(limit -> units.add(limit.limit().unit()));
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
