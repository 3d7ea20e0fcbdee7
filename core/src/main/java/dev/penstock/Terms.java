package dev.penstock;

import dev.penstock.internal.Expect;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The terms on which a policy charges: the limit, and all that is the same for every request that it matches.
 *
 * <p>Immutable; made once per policy and shared by its charges.
 */
public final class Terms {
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
    private volatile @Nullable Terms ofBlock;

    private Terms(String policy, Limit limit, Choices choices) {
        this.policy = policy;
        this.limit = limit;
        this.choices = choices;
    }

    /** Denies, strictly, in the store, shown to clients, and with a local share when the store fails. */
    public static Terms of(String policy, Limit limit) {
        return new Terms(Expect.text(policy, "policy"), Expect.present(limit, "limit"), new Choices());
    }

    /** The same terms on another limit. */
    public Terms limit(Limit other) {
        return new Terms(policy, Expect.present(other, "limit"), choices);
    }

    public Terms effect(Effect other) {
        Expect.present(other, "effect");
        return with(its -> its.effect = other);
    }

    /** What the caller is to do where this limit denies; {@link Action#DENY} by default. */
    public Terms action(Action other) {
        Expect.present(other, "action");
        return with(its -> its.action = other);
    }

    /** Uses one failure mode for the whole outage; {@code LOCAL} by default. */
    public Terms onStoreFailure(FailureMode mode) {
        return onStoreFailure(FailurePlan.of(Expect.present(mode, "onStoreFailure")));
    }

    /** Sets what happens while the store does not answer. */
    public Terms onStoreFailure(FailurePlan plan) {
        Expect.present(plan, "onStoreFailure");
        return with(its -> its.onStoreFailure = plan);
    }

    public Terms consistency(Consistency other) {
        Expect.present(other, "consistency");
        return with(its -> its.consistency = other);
    }

    public Terms place(Place other) {
        Expect.present(other, "place");
        return with(its -> its.place = other);
    }

    public Terms exposure(Exposure other) {
        Expect.present(other, "exposure");
        return with(its -> its.exposure = other);
    }

    /**
     * An allowed answer counts only once so many replicas of the store have the charge, so that it outlives the primary;
     * where they do not in time, the charge may be lost and the failure mode answers. None by default.
     */
    public Terms replicas(int count) {
        Expect.between(count, 0, MOST_REPLICAS, "replicas");
        return with(its -> its.replicas = count);
    }

    /**
     * What denials by this limit bring upon its key; nothing by default. A {@link Limiter} sees to it: an engine by itself
     * does not. Such a limit is decided strictly, also where the policy would let it be leased.
     */
    public Terms block(@Nullable Block other) {
        return with(its -> its.block = other);
    }

    /** The terms on which the account is charged in which the block is kept: the same, but clients are not shown it. */
    Terms ofBlock() {
        Terms known = ofBlock;
        Block block = choices.block;
        if (known == null && block != null) {
            Limit lockout = block.of(limit);
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

    /** Whether they are those of a block. */
    boolean isOfBlock() {
        return choices.isOfBlock;
    }

    /** The version of the policies that these terms are of; none by default. */
    public Terms version(@Nullable PolicyVersion other) {
        return with(its -> its.version = other);
    }

    private Terms with(Consumer<Choices> change) {
        Choices changed = new Choices(choices);
        change.accept(changed);
        return new Terms(policy, limit, changed);
    }

    public String policy() {
        return policy;
    }

    public Limit limit() {
        return limit;
    }

    public Effect effect() {
        return choices.effect;
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

    public @Nullable Block block() {
        return choices.block;
    }

    public @Nullable PolicyVersion version() {
        return choices.version;
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof Terms that
                        && policy.equals(that.policy)
                        && limit.equals(that.limit)
                        && choices.areSameAs(that.choices));
    }

    @Override
    public int hashCode() {
        return Objects.hash(policy, limit, choices.effect);
    }

    @Override
    public String toString() {
        return policy + "/" + limit;
    }

    /** All but the limit. Written to only while it is made, by {@link #with}. */
    private static final class Choices {
        private Effect effect = Effect.DENY;
        private Action action = Action.DENY;
        private FailurePlan onStoreFailure = FailurePlan.of(FailureMode.LOCAL);
        private Consistency consistency = Consistency.STRICT;
        private Place place = Place.STORE;
        private Exposure exposure = Exposure.SHOWN;
        private int replicas;
        private @Nullable Block block;
        private boolean isOfBlock;
        private @Nullable PolicyVersion version;

        Choices() {}

        Choices(Choices from) {
            effect = from.effect;
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
            return effect == that.effect
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
