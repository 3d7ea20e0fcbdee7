package dev.penstock.policy.internal.read;

import dev.penstock.Denied.Action;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicyVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy as the file defines it, with its place, before plans and references to other policies are resolved.
 *
 * @param match null if the file has none
 */
record PolicyDraft(
        Field field,
        String name,
        @Nullable Match match,
        List<LimitDraft> limits,
        List<CostReader.Rule> costs,
        CostReader.Amounts maxCosts,
        WhenMissing whenMissing,
        Mode mode,
        @Nullable Field candidateOf,
        Store store,
        Action action) {
    enum Mode {
        ENFORCE,
        SHADOW
    }

    /** The settings that concern the store. */
    record Store(
            FailurePlan onFailure,
            Consistency consistency,
            @Nullable KeyPart colocate,
            int replicas) {}

    /** Returns the settings of one limit. A candidate's limits are enforced, because it is asked separately. */
    LimitSettings settings(LimitDraft draft, Limit limit, PolicyVersion version) {
        boolean shadow = mode == Mode.SHADOW && candidateOf == null;
        LimitSettings settings = LimitSettings.of(name, limit)
                .enforcement(shadow ? Enforcement.SHADOW : Enforcement.ENFORCED)
                .action(action)
                .onStoreFailure(store.onFailure())
                .consistency(store.consistency())
                .replicas(store.replicas())
                .place(draft.local() ? LimitSettings.Place.LOCAL : LimitSettings.Place.STORE)
                .exposure(draft.exposed() ? LimitSettings.Exposure.SHOWN : LimitSettings.Exposure.HIDDEN)
                .version(version);
        return draft.block() == null ? settings : settings.block(draft.block());
    }
}
