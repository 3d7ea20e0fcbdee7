package dev.penstock;

import dev.penstock.internal.Expect;
import java.util.Objects;

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
    private final Effect effect;
    private final FailureMode onStoreFailure;
    private final Consistency consistency;
    private final Place place;
    private final Exposure exposure;
    private final int replicas;

    private Terms(
            String policy,
            Limit limit,
            Effect effect,
            FailureMode onStoreFailure,
            Consistency consistency,
            Place place,
            Exposure exposure,
            int replicas) {
        this.policy = Expect.text(policy, "policy");
        this.limit = Expect.present(limit, "limit");
        this.effect = Expect.present(effect, "effect");
        this.onStoreFailure = Expect.present(onStoreFailure, "onStoreFailure");
        this.consistency = Expect.present(consistency, "consistency");
        this.place = Expect.present(place, "place");
        this.exposure = Expect.present(exposure, "exposure");
        this.replicas = (int) Expect.between(replicas, 0, MOST_REPLICAS, "replicas");
    }

    /** Denies, strictly, in the store, shown to clients, and with a local share when the store fails. */
    public static Terms of(String policy, Limit limit) {
        return new Terms(
                policy, limit, Effect.DENY, FailureMode.LOCAL, Consistency.STRICT, Place.STORE, Exposure.SHOWN, 0);
    }

    /** The same terms on another limit. */
    public Terms limit(Limit other) {
        return new Terms(policy, other, effect, onStoreFailure, consistency, place, exposure, replicas);
    }

    public Terms effect(Effect other) {
        return new Terms(policy, limit, other, onStoreFailure, consistency, place, exposure, replicas);
    }

    public Terms onStoreFailure(FailureMode other) {
        return new Terms(policy, limit, effect, other, consistency, place, exposure, replicas);
    }

    public Terms consistency(Consistency other) {
        return new Terms(policy, limit, effect, onStoreFailure, other, place, exposure, replicas);
    }

    public Terms place(Place other) {
        return new Terms(policy, limit, effect, onStoreFailure, consistency, other, exposure, replicas);
    }

    public Terms exposure(Exposure other) {
        return new Terms(policy, limit, effect, onStoreFailure, consistency, place, other, replicas);
    }

    /**
     * An allowed answer counts only once so many replicas of the store have the charge, so that it outlives the primary;
     * where they do not in time, the charge may be lost and the failure mode answers. None by default.
     */
    public Terms replicas(int count) {
        return new Terms(policy, limit, effect, onStoreFailure, consistency, place, exposure, count);
    }

    public String policy() {
        return policy;
    }

    public Limit limit() {
        return limit;
    }

    public Effect effect() {
        return effect;
    }

    public FailureMode onStoreFailure() {
        return onStoreFailure;
    }

    public Consistency consistency() {
        return consistency;
    }

    public Place place() {
        return place;
    }

    public Exposure exposure() {
        return exposure;
    }

    public int replicas() {
        return replicas;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Terms that
                && policy.equals(that.policy)
                && limit.equals(that.limit)
                && effect == that.effect
                && onStoreFailure == that.onStoreFailure
                && consistency == that.consistency
                && place == that.place
                && exposure == that.exposure
                && replicas == that.replicas;
    }

    @Override
    public int hashCode() {
        return Objects.hash(policy, limit, effect);
    }

    @Override
    public String toString() {
        return policy + "/" + limit;
    }
}
