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
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A limit together with the settings that all its charges share, such as the policy's name and failure plan. Immutable.
 * Created once for each limit of a policy.
 */
@CheckReturnValue
public final class LimitSettings {
    /** The place where a charge is decided. */
    public enum Place {
        /** In the store that all nodes share. */
        STORE,
        /** In this process, before the store is asked. This makes the limit a local limit. */
        LOCAL
    }

    /** The visibility of a limit to clients. */
    public enum Exposure {
        SHOWN,
        HIDDEN
    }

    /** Maximum number of replicas that a charge can wait for. */
    public static final int MOST_REPLICAS = 100;

    private final String policy;
    private final Limit limit;
    private final Choices choices;

    /** The settings of the block that this limit's denials cause, created on demand. */
    private volatile @Nullable LimitSettings ofBlock;

    private LimitSettings(String policy, Limit limit, Choices choices) {
        this.policy = policy;
        this.limit = limit;
        this.choices = choices;
    }

    /**
     * Returns the default settings: enforced, strict, decided in the store, visible to clients, and with a local share
     * if the store fails.
     */
    public static LimitSettings of(String policy, Limit limit) {
        return new LimitSettings(Expect.text(policy, "policy"), Expect.present(limit, "limit"), new Choices());
    }

    /** Returns these settings for another limit. */
    public LimitSettings limit(Limit other) {
        return new LimitSettings(policy, Expect.present(other, "limit"), choices);
    }

    /** Returns these settings with the limit enforced or in shadow mode. */
    public LimitSettings enforcement(Enforcement other) {
        Expect.present(other, "enforcement");
        return with(its -> its.enforcement = other);
    }

    /**
     * Returns these settings with the action that the caller should take on a request that this limit denies. The
     * default is {@link Action#DENY}.
     */
    public LimitSettings action(Action other) {
        Expect.present(other, "action");
        return with(its -> its.action = other);
    }

    /** Returns these settings with one failure mode for a whole outage. The default is {@code LOCAL}. */
    public LimitSettings onStoreFailure(FailureMode mode) {
        return onStoreFailure(FailurePlan.of(Expect.present(mode, "onStoreFailure")));
    }

    /** Returns these settings with a plan for the time when the store does not answer. */
    public LimitSettings onStoreFailure(FailurePlan plan) {
        Expect.present(plan, "onStoreFailure");
        return with(its -> its.onStoreFailure = plan);
    }

    /** Returns these settings with the choice of whether nodes may draw permits in advance. */
    public LimitSettings consistency(Consistency other) {
        Expect.present(other, "consistency");
        return with(its -> its.consistency = other);
    }

    /** Returns these settings with the place where the limit is decided. */
    public LimitSettings place(Place other) {
        Expect.present(other, "place");
        return with(its -> its.place = other);
    }

    /** Returns these settings with the limit shown to clients or hidden from them. */
    public LimitSettings exposure(Exposure other) {
        Expect.present(other, "exposure");
        return with(its -> its.exposure = other);
    }

    /**
     * Returns these settings with the number of replicas that must acknowledge a charge before the request is allowed,
     * so that the charge survives a failure of the primary. If the replicas do not acknowledge in time, the charge may
     * be lost, and the failure mode answers. The default is 0.
     */
    public LimitSettings replicas(int count) {
        Expect.between(count, 0, MOST_REPLICAS, "replicas");
        return with(its -> its.replicas = count);
    }

    /**
     * Returns these settings with a block that denials by this limit cause, or with none if null, which is the default.
     * A {@link Limiter} implements blocks; an engine alone does not. A limit with a block is always strict.
     */
    public LimitSettings block(@Nullable BlockRule other) {
        return with(its -> its.block = other);
    }

    /**
     * Returns the settings of the account that keeps the block: these settings for a lockout instead of the limit,
     * strict, hidden from clients, and without a block of their own.
     *
     * @throws IllegalArgumentException if these settings have no block
     */
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

    /** Returns the limit that counts denials. It has the id of the limit that denies, so that reports show that id. */
    private static Limit lockout(BlockRule block, Limit limit) {
        return Limit.of(new Lockout(
                        block.denials(),
                        block.within(),
                        block.lasting(),
                        limit.rule().shape()))
                .id(limit.id());
    }

    /** Returns whether these are the settings of a block. See {@link #ofBlock}. */
    public boolean isOfBlock() {
        return choices.isOfBlock;
    }

    /** Returns these settings with the names of the attributes in the keys, in order. None by default. */
    public LimitSettings keyAttributes(List<String> names) {
        List<String> copy = List.copyOf(Expect.present(names, "keyAttributes"));
        return with(its -> its.keyAttributes = copy);
    }

    /** Returns these settings with the version of the policies that they belong to; null by default. */
    public LimitSettings version(@Nullable PolicyVersion other) {
        return with(its -> its.version = other);
    }

    private LimitSettings with(Consumer<Choices> change) {
        Choices changed = new Choices(choices);
        change.accept(changed);
        return new LimitSettings(policy, limit, changed);
    }

    /** Returns the policy's name. */
    public String policy() {
        return policy;
    }

    /** Returns the limit. */
    public Limit limit() {
        return limit;
    }

    /** Returns whether the limit is enforced. */
    public Enforcement enforcement() {
        return choices.enforcement;
    }

    /** Returns the action that the caller should take on a denied request. */
    public Action action() {
        return choices.action;
    }

    /** Returns the plan for the time when the store does not answer. */
    public FailurePlan onStoreFailure() {
        return choices.onStoreFailure;
    }

    /** Returns whether nodes may draw permits in advance. */
    public Consistency consistency() {
        return choices.consistency;
    }

    /** Returns where the limit is decided. */
    public Place place() {
        return choices.place;
    }

    /** Returns whether clients may see the limit. */
    public Exposure exposure() {
        return choices.exposure;
    }

    /** Returns the number of replicas that must acknowledge a charge. */
    public int replicas() {
        return choices.replicas;
    }

    /** Returns the block that denials cause, or null if there is none. */
    public @Nullable BlockRule block() {
        return choices.block;
    }

    /** Returns the names of the attributes in the keys, in order; empty if they are not known. */
    public List<String> keyAttributes() {
        return choices.keyAttributes;
    }

    /** Returns the version of the policies, or null if they have none. */
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

    /** All settings except the limit. Modified only while it is created, by {@link #with}. */
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
        private List<String> keyAttributes = List.of();
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
            keyAttributes = from.keyAttributes;
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
                    && keyAttributes.equals(that.keyAttributes)
                    && Objects.equals(version, that.version);
        }
    }
}
