package dev.penstock.spi;

import dev.penstock.Denied.Action;
import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.Lockout;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings on which a policy charges: the limit, and all that is the same for every request that it matches.
 *
 * <p>Immutable; made once per policy and shared by its charges.
 */
@CheckReturnValue
public final class LimitSettings {
    /** Where a charge is decided. */
    public enum Place {
        /** Where the state of all nodes lives. */
        STORE,
        /** In this process, before any trip: a first layer. */
        PROCESS
    }

    /** Whether clients may learn of a limit. */
    public enum Exposure {
        SHOWN,
        HIDDEN
    }

    /** The most replicas that a charge can wait for. */
    public static final int MOST_REPLICAS = 100;

    private final String policy;
    private final Limit limit;
    private final Choices choices;

    /** Those of its block, once somebody has asked for them. */
    private volatile @Nullable LimitSettings ofBlock;

    private LimitSettings(String policy, Limit limit, Choices choices) {
        this.policy = policy;
        this.limit = limit;
        this.choices = choices;
    }

    /** Denies, strictly, in the store, shown to clients, and with a local share when the store fails. */
    public static LimitSettings of(String policy, Limit limit) {
        return new LimitSettings(Expect.text(policy, "policy"), Expect.present(limit, "limit"), new Choices());
    }

    /** The same settings on another limit. */
    public LimitSettings limit(Limit other) {
        return new LimitSettings(policy, Expect.present(other, "limit"), choices);
    }

    public LimitSettings enforcement(Enforcement other) {
        Expect.present(other, "enforcement");
        return with(its -> its.enforcement = other);
    }

    /** What the caller is to do where this limit denies; {@link Action#DENY} by default. */
    public LimitSettings action(Action other) {
        Expect.present(other, "action");
        return with(its -> its.action = other);
    }

    /** Uses one failure mode for the whole outage; {@code LOCAL} by default. */
    public LimitSettings onStoreFailure(FailureMode mode) {
        return onStoreFailure(FailurePlan.of(Expect.present(mode, "onStoreFailure")));
    }

    /** Sets what happens while the store does not answer. */
    public LimitSettings onStoreFailure(FailurePlan plan) {
        Expect.present(plan, "onStoreFailure");
        return with(its -> its.onStoreFailure = plan);
    }

    public LimitSettings consistency(Consistency other) {
        Expect.present(other, "consistency");
        return with(its -> its.consistency = other);
    }

    public LimitSettings place(Place other) {
        Expect.present(other, "place");
        return with(its -> its.place = other);
    }

    public LimitSettings exposure(Exposure other) {
        Expect.present(other, "exposure");
        return with(its -> its.exposure = other);
    }

    /**
     * An allowed answer counts only once so many replicas of the store have the charge, so that it outlives the primary;
     * where they do not in time, the charge may be lost and the failure mode answers. None by default.
     */
    public LimitSettings replicas(int count) {
        Expect.between(count, 0, MOST_REPLICAS, "replicas");
        return with(its -> its.replicas = count);
    }

    /**
     * What denials by this limit bring upon its key; nothing by default. A {@link Limiter} sees to it: an engine by itself
     * does not. Such a limit is decided strictly, also where the policy would let it be leased.
     */
    public LimitSettings block(@Nullable BlockRule other) {
        return with(its -> its.block = other);
    }

    /** The settings on which the account is charged in which the block is kept: the same, but clients are not shown it. */
    public LimitSettings ofBlock() {
        LimitSettings known = ofBlock;
        BlockRule block = choices.block;
        if (known == null && block != null) {
            Limit lockout = lockout(block, limit);
            known = with(its -> {
                        its.block = null;
                        its.isOfBlock = true;
                        its.exposure = Exposure.HIDDEN;
                        its.consistency = Consistency.STRICT;
                    })
                    .limit(lockout);
            ofBlock = known;
        }
        return Expect.present(known, "block");
    }

    /** The limit that counts denials. It has the id of the limit that denies, so that reports name that limit. */
    private static Limit lockout(BlockRule block, Limit limit) {
        return Limit.of(new Lockout(
                        block.denials(),
                        block.within(),
                        block.lasting(),
                        limit.rule().shape()))
                .id(limit.id());
    }

    /** Whether these settings are those of a block: see {@link #ofBlock}. */
    public boolean isOfBlock() {
        return choices.isOfBlock;
    }

    /** The version of the policies that these settings are of; none by default. */
    public LimitSettings version(@Nullable PolicyVersion other) {
        return with(its -> its.version = other);
    }

    private LimitSettings with(Consumer<Choices> change) {
        Choices changed = new Choices(choices);
        change.accept(changed);
        return new LimitSettings(policy, limit, changed);
    }

    public String policy() {
        return policy;
    }

    public Limit limit() {
        return limit;
    }

    public Enforcement enforcement() {
        return choices.enforcement;
    }

    public Action action() {
        return choices.action;
    }

    public FailurePlan onStoreFailure() {
        return choices.onStoreFailure;
    }

    public Consistency consistency() {
        return choices.consistency;
    }

    public Place place() {
        return choices.place;
    }

    public Exposure exposure() {
        return choices.exposure;
    }

    public int replicas() {
        return choices.replicas;
    }

    public @Nullable BlockRule block() {
        return choices.block;
    }

    public @Nullable PolicyVersion version() {
        return choices.version;
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof LimitSettings that
                        && policy.equals(that.policy)
                        && limit.equals(that.limit)
                        && choices.areSameAs(that.choices));
    }

    @Override
    public int hashCode() {
        return Objects.hash(policy, limit, choices.enforcement);
    }

    @Override
    public String toString() {
        return policy + "/" + limit;
    }

    /** All but the limit. Written to only while it is made, by {@link #with}. */
    private static final class Choices {
        private Enforcement enforcement = Enforcement.ENFORCED;
        private Action action = Action.DENY;
        private FailurePlan onStoreFailure = FailurePlan.of(FailureMode.LOCAL);
        private Consistency consistency = Consistency.STRICT;
        private Place place = Place.STORE;
        private Exposure exposure = Exposure.SHOWN;
        private int replicas;
        private @Nullable BlockRule block;
        private boolean isOfBlock;
        private @Nullable PolicyVersion version;

        Choices() {}

        Choices(Choices from) {
            enforcement = from.enforcement;
            action = from.action;
            onStoreFailure = from.onStoreFailure;
            consistency = from.consistency;
            place = from.place;
            exposure = from.exposure;
            replicas = from.replicas;
            block = from.block;
            isOfBlock = from.isOfBlock;
            version = from.version;
        }

        boolean areSameAs(Choices that) {
            return enforcement == that.enforcement
                    && action.equals(that.action)
                    && onStoreFailure.equals(that.onStoreFailure)
                    && consistency == that.consistency
                    && place == that.place
                    && exposure == that.exposure
                    && replicas == that.replicas
                    && Objects.equals(block, that.block)
                    && isOfBlock == that.isOfBlock
                    && Objects.equals(version, that.version);
        }
    }
}
