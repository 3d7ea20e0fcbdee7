package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.engine.LocalFirst;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.CounterName;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit in a policy: the attributes by which it counts, its cost, and settings that differ from those of the policy.
 *
 * <p>Immutable. Every method returns a new object: {@code PolicyLimit.of(limit).by("tenant", "user")}.
 */
@CheckReturnValue
public final class PolicyLimit {
    /**
     * A rule that blocks a key for a while after a number of denials by the limit, even if the limit has room again.
     *
     * <p>The first denial opens a window of length {@code within}. If the window collects {@code denials} denials, the
     * last of them starts the block. Otherwise, the first denial after the window's end opens a new window. Denials
     * caused by the block are not counted and do not extend it. Neither are denials that happen only because other
     * permits hold their cost, which they may still give back.
     *
     * @param denials the number of denials that cause the block
     * @param within the maximum time between the first and the last of them; ignored if {@code denials} is 1
     * @param lasting how long the key is blocked
     */
    public record BlockRule(long denials, Duration within, Duration lasting) {
        private static final Duration ONE_DENIAL = Duration.ofSeconds(1);

        public BlockRule {
            Expect.between(denials, 1, Costs.MAX, "denials");
            Expect.micros(within, Algorithm.LONGEST, "within");
            Expect.micros(lasting, Algorithm.LONGEST, "lasting");
        }

        /** Returns a rule that blocks after the first denial. */
        public static BlockRule lasting(Duration time) {
            return new BlockRule(1, ONE_DENIAL, time);
        }
    }

    /** The treatment of a request that lacks an attribute of the key. */
    public enum WhenMissing {
        /** Throw an {@link IllegalArgumentException}, because the application forgot something. */
        REFUSE,
        /** Skip the limit. */
        SKIP,
        /** Count all such requests together. {@link LimitStatus#missing} names the attribute. The default. */
        SHARE
    }

    private static final long NO_COST = -1;

    private final Limit limit;
    private final String[] attributes;
    private final long cost;
    private final WhenMissing whenMissing;
    private final @Nullable String counter;
    private final Own own;

    /** Settings of this limit that may differ from those of the policy. */
    private record Own(
            LimitSettings.Place place,
            LimitSettings.Exposure exposure,
            @Nullable BlockRule block,
            @Nullable FailurePlan onStoreFailure) {
        private static final Own USUAL = new Own(LimitSettings.Place.STORE, LimitSettings.Exposure.SHOWN, null, null);
    }

    private PolicyLimit(
            Limit limit, String[] attributes, long cost, WhenMissing whenMissing, @Nullable String counter, Own own) {
        this.limit = limit;
        this.attributes = attributes;
        this.cost = cost;
        this.whenMissing = whenMissing;
        this.counter = counter;
        this.own = own;
    }

    /**
     * Returns a limit that counts all requests together, at the cost that a request states (1 by default for requests
     * and slots).
     */
    public static PolicyLimit of(Limit limit) {
        boolean one = Expect.present(limit, "limit").unit().equals(Costs.REQUESTS)
                || limit.unit().equals(Costs.SLOTS);
        return new PolicyLimit(limit, new String[0], one ? 1 : NO_COST, WhenMissing.SHARE, null, Own.USUAL);
    }

    /** Counts each combination of these attributes' values separately. */
    public PolicyLimit by(String... names) {
        for (String name : Expect.present(names, "attribute names")) {
            Expect.text(name, "attribute name");
        }
        return new PolicyLimit(limit, names.clone(), cost, whenMissing, counter, own);
    }

    /** Returns this limit, counting by this attribute too unless it is null. */
    PolicyLimit alsoBy(@Nullable String name) {
        if (name == null || Arrays.asList(attributes).contains(name)) {
            return this;
        }
        String[] more = new String[attributes.length + 1];
        more[0] = name;
        System.arraycopy(attributes, 0, more, 1, attributes.length);
        return by(more);
    }

    /** Sets the cost of a request that states none in this limit's unit. */
    public PolicyLimit cost(long amount) {
        boolean slots = limit.unit().equals(Costs.SLOTS);
        Expect.between(amount, 0, slots ? Concurrency.MOST_PER_REQUEST : Costs.MAX, "cost of " + limit.unit());
        return new PolicyLimit(limit, attributes, amount, whenMissing, counter, own);
    }

    /** Sets how to treat a request that lacks an attribute of the key. The default is {@link WhenMissing#SHARE}. */
    public PolicyLimit whenMissing(WhenMissing choice) {
        return new PolicyLimit(limit, attributes, cost, Expect.present(choice, "whenMissing"), counter, own);
    }

    /**
     * Sets the name that this limit counts under. Limits with the same counter name, algorithm and period share one
     * count per key, even if they are in different policies.
     */
    public PolicyLimit counter(String name) {
        return new PolicyLimit(limit, attributes, cost, whenMissing, Expect.text(name, "counter"), own);
    }

    /**
     * Makes this a local limit: each process counts for itself and decides before the store is asked, so that the store
     * does not see a flood of denied requests.
     *
     * <p>This needs a {@link LocalFirst} around the engine, which {@link Penstock} adds. Without one, the limit is
     * counted like the others.
     */
    public PolicyLimit local() {
        return with(new Own(LimitSettings.Place.LOCAL, own.exposure, own.block, own.onStoreFailure));
    }

    /** Sets whether clients may see this limit. By default they may. */
    public PolicyLimit exposure(LimitSettings.Exposure choice) {
        Expect.present(choice, "exposure");
        return with(new Own(own.place, choice, own.block, own.onStoreFailure));
    }

    /** Sets a block: the limit's first denial blocks the key for this time. */
    public PolicyLimit blockFor(Duration time) {
        return block(BlockRule.lasting(time));
    }

    /** Sets a block: a number of denials by the limit blocks the key for a while. */
    public PolicyLimit block(BlockRule choice) {
        return with(new Own(own.place, own.exposure, Expect.present(choice, "block"), own.onStoreFailure));
    }

    /** Sets what happens to this limit while the store does not answer. By default, the plan of the policy applies. */
    public PolicyLimit onStoreFailure(FailurePlan plan) {
        return with(new Own(own.place, own.exposure, own.block, Expect.present(plan, "onStoreFailure")));
    }

    private PolicyLimit with(Own other) {
        return new PolicyLimit(limit, attributes, cost, whenMissing, counter, other);
    }

    /** Returns the limit. */
    public Limit limit() {
        return limit;
    }

    /** Returns the number of charges that this limit can add to a request: one, and one more if it has a block. */
    int charges() {
        return own.block == null ? 1 : 2;
    }

    /** Returns the policy's settings with those of this limit applied. */
    LimitSettings settings(LimitSettings common) {
        LimitSettings settings = common.limit(limit)
                .place(own.place)
                .exposure(own.exposure)
                .block(own.block)
                .keyAttributes(List.of(attributes));
        return own.onStoreFailure == null ? settings : settings.onStoreFailure(own.onStoreFailure);
    }

    /**
     * Returns the name that the limit counts under: the counter if set, otherwise a name made of the policy, the limit
     * and the attributes.
     */
    String counterIn(String policy) {
        return counter != null ? counter : CounterName.of(policy, limit, List.of(attributes));
    }

    /** Returns the key of the request, or null if the limit does not apply to it. */
    @Nullable
    Key key(String counterName, Request request) {
        if (attributes.length == 1) {
            String value = request.attribute(attributes[0]);
            if (value != null) {
                return Key.of(counterName, value);
            }
        }
        List<@Nullable String> values = new ArrayList<>(attributes.length);
        for (String name : attributes) {
            String value = request.attribute(name);
            if (value == null && whenMissing == WhenMissing.SKIP) {
                return null;
            }
            Expect.that(
                    value != null || whenMissing == WhenMissing.SHARE,
                    "attribute " + name,
                    null,
                    "a value, because " + counterName + " counts by it");
            values.add(value);
        }
        return Key.of(counterName, values);
    }

    long cost(Request request) {
        long stated = request.costs().amount(limit.unit(), cost);
        if (stated == NO_COST) {
            throw Expect.refused("cost of " + limit.unit(), null, "stated by the request or the policy");
        }
        return stated;
    }

    @Override
    public String toString() {
        return limit + " by " + Arrays.toString(attributes);
    }
}
