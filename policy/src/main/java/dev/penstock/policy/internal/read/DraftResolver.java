package dev.penstock.policy.internal.read;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.read.PolicyDraft.Mode;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.select.Routes;
import dev.penstock.policy.internal.select.SelectedLimit;
import dev.penstock.policy.internal.select.SelectedPolicy;
import dev.penstock.policy.internal.select.SelectedPolicy.Role;
import dev.penstock.policy.internal.select.Selector;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Findings;
import dev.penstock.spi.Ask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks the contents of the files against each other: policies, plans, tenants, costs. For one use. */
final class DraftResolver {
    private final Drafts drafts;
    private final PolicySetReader.ReadContext circumstances;
    private final Findings findings;
    private final PlanTable plans;
    private final CounterTable counters = new CounterTable();

    DraftResolver(Drafts drafts, PolicySetReader.ReadContext circumstances, Findings findings) {
        this.drafts = drafts;
        this.circumstances = circumstances;
        this.findings = findings;
        this.plans = new PlanTable(drafts);
    }

    /** Returns the resolved contents; null if there is any error, found here or before. */
    Selector.@Nullable Contents contents() {
        List<SelectedPolicy> policies = new ArrayList<>();
        for (PolicyDraft draft : drafts.policies.values()) {
            policies.add(policy(draft));
        }
        checkCountOfAll();
        PolicyDraft otherwise = drafts.defaultPolicy;
        SelectedPolicy defaultPolicy = otherwise == null ? null : policy(otherwise);
        if (!findings.isEmpty()) {
            return null;
        }
        return new Selector.Contents(
                drafts.deny,
                drafts.allow,
                policies,
                drafts.otherwise,
                defaultPolicy,
                new Routes(drafts.routes),
                plans.plans(circumstances.clock()),
                drafts.secrets,
                drafts.counts(),
                circumstances.version());
    }

    private SelectedPolicy policy(PolicyDraft draft) {
        String live = live(draft);
        Match match = match(draft, live);
        checkCount(draft);
        CostUnits.check(draft);
        List<SelectedLimit> limits = new ArrayList<>();
        for (LimitDraft limit : draft.limits()) {
            limits.add(limit(draft, limit, match));
        }
        Role role = live != null ? Role.CANDIDATE : draft.mode() == Mode.SHADOW ? Role.SHADOW : Role.ENFORCE;
        return new SelectedPolicy(draft.name(), match, limits, role, live);
    }

    /** Checks that the limits of all policies that match every request fit into one ask. */
    private void checkCountOfAll() {
        long sum = 0;
        for (PolicyDraft draft : drafts.policies.values()) {
            boolean always = draft.match() == null && draft.candidateOf() == null;
            long own = draft.limits().size() + blocks(draft);
            if (always && own <= Ask.MOST_CHARGES && sum + own > Ask.MOST_CHARGES) {
                draft.field()
                        .report("with this policy every request is charged to " + (sum + own)
                                + " limits and blocks (expected: at most " + Ask.MOST_CHARGES + ")");
                return;
            }
            sum += always ? own : 0;
        }
    }

    private static long blocks(PolicyDraft draft) {
        return draft.limits().stream().filter(limit -> limit.block() != null).count();
    }

    /** Checks the number of charges: one for every limit and one for every block. */
    private static void checkCount(PolicyDraft draft) {
        int limits = draft.limits().size();
        long blocks = blocks(draft);
        if (limits + blocks > Ask.MOST_CHARGES) {
            String counted = blocks == 0 ? limits + " limits" : limits + " limits with " + blocks + " blocks";
            String inAll = blocks == 0 ? "" : " in all";
            draft.field().report(counted + " (expected: at most " + Ask.MOST_CHARGES + inAll + ")");
        }
    }

    /** Returns the name of the policy that this one is a candidate for. */
    private @Nullable String live(PolicyDraft draft) {
        Field field = draft.candidateOf();
        String name = field == null ? null : field.text("the name of a policy");
        if (field == null || name == null || !field.isHeard()) {
            return null;
        }
        PolicyDraft live = drafts.policies.get(name);
        if (live == null) {
            field.refuse("the name of a policy" + Texts.didYouMean(name, drafts.policies.keySet()));
        } else if (live.name().equals(draft.name())) {
            field.refuse("another policy");
        } else if (live.candidateOf() != null || live.mode() == Mode.SHADOW) {
            field.refuse("a policy that enforces");
        }
        return name;
    }

    private Match match(PolicyDraft draft, @Nullable String live) {
        Match own = draft.match();
        PolicyDraft model = own != null || live == null ? null : drafts.policies.get(live);
        Match inherited = model == null ? null : model.match();
        return own != null ? own : inherited != null ? inherited : Match.EVERYTHING;
    }

    private SelectedLimit limit(PolicyDraft policy, LimitDraft limit, Match match) {
        List<KeyPart> parts = parts(policy, limit, match);
        KeyPart colocate = policy.store().colocate();
        LimitLines lines = new LimitLines(policy, limit, parts, circumstances.version());
        int planName = SelectedLimit.NO_PLAN;
        if (limit.planName() != null) {
            planName = plans.refer(limit);
            plans.amounts(planName).forEach(lines::add);
        } else if (limit.amount() != null) {
            lines.addOwn(limit.amount());
        }
        counters.add(policy, limit, parts, lines.made());
        return new SelectedLimit(
                parts,
                colocate == null ? null : own(parts, colocate),
                limit.whenMissing() == null ? policy.whenMissing() : limit.whenMissing(),
                lines.cost(),
                planName,
                lines.all());
    }

    /** Returns the key's own spelling of the attribute by which accounts are colocated. */
    private static KeyPart own(List<KeyPart> parts, KeyPart colocate) {
        return parts.stream()
                .filter(part -> part.attribute().equals(colocate.attribute()))
                .findFirst()
                .orElse(colocate);
    }

    private List<KeyPart> parts(PolicyDraft policy, LimitDraft limit, Match match) {
        List<KeyPart> parts = new ArrayList<>(limit.key());
        KeyPart colocate = policy.store().colocate();
        if (colocate != null
                && parts.stream().noneMatch(part -> part.attribute().equals(colocate.attribute()))) {
            parts.add(0, colocate);
        }
        boolean byRoute = parts.stream().anyMatch(part -> part.attribute().equals(AttributeNames.ROUTE));
        if (byRoute && match.routes().isEmpty() && drafts.routes.isEmpty()) {
            limit.field()
                    .report("route in the key of a policy that matches no routes (expected: a route in match, or routes"
                            + " at the top of a file)");
        }
        return List.copyOf(parts);
    }
}
