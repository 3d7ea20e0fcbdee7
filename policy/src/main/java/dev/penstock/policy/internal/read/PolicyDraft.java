package dev.penstock.policy.internal.read;

import dev.penstock.Action;
import dev.penstock.Consistency;
import dev.penstock.Effect;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.PolicyVersion;
import dev.penstock.Terms;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy as a file has it, with its places, before plans and other policies are known.
 *
 * @param match null where it says nothing
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

    /** What it asks of the store. */
    record Store(
            FailurePlan onFailure,
            Consistency consistency,
            @Nullable KeyPart colocate,
            int replicas) {}

    /** The terms of one of its limits. A candidate is asked by itself, and so decides like any other. */
    Terms terms(LimitDraft draft, Limit limit, PolicyVersion version) {
        boolean shadow = mode == Mode.SHADOW && candidateOf == null;
        Terms terms = Terms.of(name, limit)
                .effect(shadow ? Effect.OBSERVE : Effect.DENY)
                .action(action)
                .onStoreFailure(store.onFailure())
                .consistency(store.consistency())
                .replicas(store.replicas())
                .place(draft.local() ? Terms.Place.PROCESS : Terms.Place.STORE)
                .exposure(draft.exposed() ? Terms.Exposure.SHOWN : Terms.Exposure.HIDDEN)
                .version(version);
        return draft.block() == null ? terms : terms.block(draft.block());
    }
}
