package dev.penstock.policy.internal.read;

import dev.penstock.Denied.Action;
import dev.penstock.Policy.Consistency;
import dev.penstock.policy.internal.read.PolicyDraft.Mode;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.StaticDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one entry of {@code policies}, or the {@code default} policy. */
final class PolicyReader {
    private static final List<String> COMMON = List.of(
            "limits",
            "cost",
            "max_cost",
            "when_missing",
            "mode",
            "action",
            "on_store_failure",
            "consistency",
            "colocate",
            "replicas");
    private static final List<String> NAMED = List.of("name", "match", "candidate_of");

    private final MatchReader matches;
    private final LimitReader limits;
    private final CostReader costs;
    private final KeyReader keys;

    PolicyReader(MatchReader matches, KeyReader keys) {
        this.matches = matches;
        this.limits = new LimitReader(keys);
        this.costs = new CostReader(matches);
        this.keys = keys;
    }

    /** Returns the policy; null if it has no valid name. */
    @Nullable
    PolicyDraft read(Field field) {
        List<String> known = new ArrayList<>(NAMED);
        known.addAll(COMMON);
        Words words =
                field.words("a policy such as { name: api, limits: [ ... ] }").only(known);
        Field nameAt = words.required("name", "its name");
        String name = Texts.name(nameAt);
        if (nameAt != null && StaticDecision.DEFAULT.equals(name)) {
            nameAt.refuse("another name; default is reserved for the default policy");
        }
        PolicyDraft draft = draft(words, name == null ? "" : name);
        return name == null ? null : draft;
    }

    PolicyDraft readDefault(Field field) {
        return draft(field.words("allow, deny or a policy").only(COMMON), StaticDecision.DEFAULT);
    }

    private PolicyDraft draft(Words words, String name) {
        Field field = words.mapping();
        Field match = words.get("match");
        Field mode = words.get("mode");
        Field candidateOf = words.get("candidate_of");
        if (candidateOf != null && mode != null && "enforce".equals(mode.textIfAny())) {
            mode.refuse("no mode with candidate_of: a candidate is always in shadow mode");
        }
        Consistency consistency = Texts.word(words.get("consistency"), Consistency.class, Consistency.STRICT);
        List<LimitDraft> drafts = limits(words, consistency);
        Field colocateAt = words.get("colocate");
        KeyPart colocate = colocateAt == null ? null : keys.colocation(colocateAt);
        return new PolicyDraft(
                field,
                name,
                match == null ? null : matches.read(match),
                drafts,
                costs.read(words.get("cost")),
                costs.readMost(words.get("max_cost")),
                LimitReader.whenMissing(words.get("when_missing")),
                Texts.word(mode, Mode.class, Mode.ENFORCE),
                candidateOf,
                new PolicyDraft.Store(
                        FailurePlanReader.read(words.get("on_store_failure")),
                        consistency,
                        colocate,
                        replicas(words.get("replicas"))),
                action(words.get("action")));
    }

    private List<LimitDraft> limits(Words words, Consistency consistency) {
        List<LimitDraft> drafts = new ArrayList<>();
        Field field = words.required("limits", "a list of limits");
        if (field == null) {
            return drafts;
        }
        List<Field> items = field.items("a list of limits");
        if (items.isEmpty() && field.isList()) {
            field.report("an empty list (expected: at least one limit)");
        }
        for (Field item : items) {
            LimitDraft draft = limits.read(item);
            if (draft == null) {
                continue;
            }
            drafts.add(draft);
            if (words.get("candidate_of") != null && draft.word() == AlgorithmWord.CONCURRENCY) {
                item.report("concurrency in a candidate (expected: rates, because its slots would never be released)");
            }
            boolean leased = consistency == Consistency.LEASED;
            if (leased && draft.word() == AlgorithmWord.CONCURRENCY) {
                item.report(
                        "concurrency in a leased policy (expected: consistency: strict, since slots cannot be leased)");
            }
            if (leased && draft.block() != null) {
                item.report("block_for in a leased policy (expected: consistency: strict, since every denial counts)");
            }
        }
        return drafts;
    }

    private static int replicas(@Nullable Field field) {
        Long count = Texts.count(field);
        if (field != null && count != null && count > LimitSettings.MOST_REPLICAS) {
            field.refuse("at most " + LimitSettings.MOST_REPLICAS);
            return 0;
        }
        return count == null ? 0 : count.intValue();
    }

    private static Action action(@Nullable Field field) {
        String expected = "deny, challenge, delay or { tag: NAME }";
        Action action = null;
        if (field != null && field.isMapping()) {
            Field tag = field.words("").only("tag").required("tag", "a name for the caller's action");
            action = Texts.read(tag, "a name", text -> Action.tag(Texts.checkedName(text)));
        } else if (field != null) {
            action = Texts.read(field, expected, text -> switch (text) {
                case "deny" -> Action.DENY;
                case "challenge" -> Action.CHALLENGE;
                case "delay" -> Action.DELAY;
                default ->
                    throw new Unexpected(expected + Texts.didYouMean(text, List.of("deny", "challenge", "delay")));
            });
        }
        return action == null ? Action.DENY : action;
    }
}
