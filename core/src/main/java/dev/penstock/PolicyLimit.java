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
 * A limit as one policy uses it: by which attributes it counts, and at what cost.
 *
 * <p>Immutable. {@code PolicyLimit.of(limit).by("tenant", "user")}.
 */
@CheckReturnValue
public final class PolicyLimit {
    /**
     * Blocks a key for a while after a number of denials by the limit, even if the limit has permits left again.
     *
     * <p>Denials are counted in windows: each begins with a denial that is in none yet, and has those that come sooner than
     * {@code within} after it. The key is blocked from the moment of the last of them. What is denied because of the block is
     * not counted, and does not prolong it.
     *
     * @param denials how many bring it about
     * @param within how far apart the first and the last of them may be; of no meaning where one is enough
     * @param lasting how long the key is blocked
     */
    public record BlockRule(long denials, Duration within, Duration lasting) {
        private static final Duration ONE_DENIAL = Duration.ofSeconds(1);

        public BlockRule {
            Expect.between(denials, 1, Costs.MAX, "denials");
            Expect.micros(within, Algorithm.LONGEST, "within");
            Expect.micros(lasting, Algorithm.LONGEST, "lasting");
        }

        /** After the first denial. */
        public static BlockRule lasting(Duration time) {
            return new BlockRule(1, ONE_DENIAL, time);
        }
    }

    /** What a request means that lacks an attribute which the limit counts by. */
    public enum WhenMissing {
        /** It is refused with an error: the application forgot something. */
        REFUSE,
        /** The limit does not apply to it. */
        SKIP,
        /** All such requests are counted together. */
        SHARE
    }

    private static final long NO_COST = -1;

    private final Limit limit;
    private final String[] attributes;
    private final long cost;
    private final WhenMissing whenMissing;
    private final @Nullable String counter;
    private final Own own;

    /** The settings of this limit alone; the policy's other limits may have others. */
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

    /** The limit counting everyone together, at the cost that a request states (1 for requests and slots). */
    public static PolicyLimit of(Limit limit) {
        boolean one = Expect.present(limit, "limit").unit().equals(Costs.REQUESTS)
                || limit.unit().equals(Costs.SLOTS);
        return new PolicyLimit(limit, new String[0], one ? 1 : NO_COST, WhenMissing.REFUSE, null, Own.USUAL);
    }

    /** Counts each combination of these attributes' values by itself. */
    public PolicyLimit by(String... names) {
        for (String name : Expect.present(names, "attribute names")) {
            Expect.text(name, "attribute name");
        }
        return new PolicyLimit(limit, names.clone(), cost, whenMissing, counter, own);
    }

    /** Counts by that attribute too, if there is one. */
    PolicyLimit alsoBy(@Nullable String name) {
        if (name == null || Arrays.asList(attributes).contains(name)) {
            return this;
        }
        String[] more = new String[attributes.length + 1];
        more[0] = name;
        System.arraycopy(attributes, 0, more, 1, attributes.length);
        return by(more);
    }

    /** What a request costs that does not state a cost in this limit's unit. */
    public PolicyLimit cost(long amount) {
        boolean slots = limit.unit().equals(Costs.SLOTS);
        Expect.between(amount, 0, slots ? Concurrency.MOST_PER_REQUEST : Costs.MAX, "cost of " + limit.unit());
        return new PolicyLimit(limit, attributes, amount, whenMissing, counter, own);
    }

    public PolicyLimit whenMissing(WhenMissing choice) {
        return new PolicyLimit(limit, attributes, cost, Expect.present(choice, "whenMissing"), counter, own);
    }

    /** Counts under a name of choice: limits that name the same counter share it, across policies. */
    public PolicyLimit counter(String name) {
        return new PolicyLimit(limit, attributes, cost, whenMissing, Expect.text(name, "counter"), own);
    }

    /**
     * Decided in this process before any trip, as a first layer against floods: each process counts for itself. It takes a
     * {@link LocalFirst} around the engine; without one the limit is counted where the others are.
     */
    public PolicyLimit inProcess() {
        return with(new Own(LimitSettings.Place.PROCESS, own.exposure, own.block, own.onStoreFailure));
    }

    /** Whether clients may learn of this limit; they may by default. */
    public PolicyLimit exposure(LimitSettings.Exposure choice) {
        Expect.present(choice, "exposure");
        return with(new Own(own.place, choice, own.block, own.onStoreFailure));
    }

    /** Whoever is denied by this limit is blocked for so long. */
    public PolicyLimit blockFor(Duration time) {
        return block(BlockRule.lasting(time));
    }

    /** Whoever is denied often enough by this limit is blocked for a while. */
    public PolicyLimit block(BlockRule choice) {
        return with(new Own(own.place, own.exposure, Expect.present(choice, "block"), own.onStoreFailure));
    }

    /** Sets what this limit does while the store does not answer. By default it follows its policy. */
    public PolicyLimit onStoreFailure(FailurePlan plan) {
        return with(new Own(own.place, own.exposure, own.block, Expect.present(plan, "onStoreFailure")));
    }

    private PolicyLimit with(Own other) {
        return new PolicyLimit(limit, attributes, cost, whenMissing, counter, other);
    }

    public Limit limit() {
        return limit;
    }

    /** The policy's settings as they are for this limit. */
    LimitSettings settings(LimitSettings common) {
        LimitSettings settings =
                common.limit(limit).place(own.place).exposure(own.exposure).block(own.block);
        return own.onStoreFailure == null ? settings : settings.onStoreFailure(own.onStoreFailure);
    }

    /** The name it counts under within a policy: the given one, or one made of the policy, the limit and the attributes. */
    String counterIn(String policy) {
        return counter != null ? counter : CounterName.of(policy, limit, List.of(attributes));
    }

    /** The key of the request; null where the limit does not apply to it. */
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
