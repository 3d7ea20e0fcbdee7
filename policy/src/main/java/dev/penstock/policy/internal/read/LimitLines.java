package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.internal.CounterName;
import dev.penstock.policy.internal.select.Cost;
import dev.penstock.policy.internal.select.CostRule;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.select.SelectedLimit.Line;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.text.Unexpected;
import dev.penstock.spi.PolicyVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the settings and the counter of a limit for each set of numbers that it can have, and its cost. */
final class LimitLines {
    private final PolicyDraft policy;
    private final LimitDraft limit;
    private final List<String> keyNames;
    private final PolicyVersion version;
    private final List<String> attributes;
    private final List<CostRule> rules;
    private final List<@Nullable Line> lines = new ArrayList<>();

    LimitLines(PolicyDraft policy, LimitDraft limit, List<KeyPart> parts, PolicyVersion version) {
        this.policy = policy;
        this.limit = limit;
        this.keyNames = parts.stream().map(KeyPart::written).toList();
        this.attributes = parts.stream().map(KeyPart::attribute).toList();
        this.version = version;
        this.rules = policy.costs().stream()
                .map(CostReader.Rule::rule)
                .filter(rule -> rule.amounts().containsKey(limit.unit()))
                .toList();
        boolean covered =
                limit.costsOne() || limit.cost() != null || rules.stream().anyMatch(CostRule::isForAll);
        if (!covered) {
            String unit = limit.unit();
            limit.field()
                    .report("no cost in " + unit + " (expected: a cost in the limit, or " + unit
                            + " in the policy's cost without a match, for requests that do not state a cost)");
        }
    }

    /** Adds a line for the limit's own numbers. */
    void addOwn(Amount amount) {
        add(amount, limit.numbersAt(), "");
    }

    /** Adds a line for the numbers of a plan. */
    void add(PlanDraft.Value value) {
        String use = "; " + limit.field().path() + " uses it as " + limit.word().word();
        add(value.amount(), value.at(), value.at().equals(limit.numbersAt()) ? "" : use);
    }

    private void add(Amount amount, Field at, String use) {
        if (amount instanceof Amount.Unlimited) {
            lines.add(null);
            return;
        }
        try {
            Limit made = limit.limit(amount);
            lines.add(new Line(policy.settings(limit, made, version).keyAttributes(attributes), counter(made)));
            checkCosts(made);
        } catch (Unexpected e) {
            at.refuse(e.expected() + use);
            lines.add(null);
        }
    }

    /**
     * Returns the counter's name, which always includes the period and the unit. If either changes, counting starts
     * anew.
     */
    private String counter(Limit made) {
        String id = limit.id();
        String given = limit.counter() == null ? id : limit.counter();
        String span = made.algorithm().span();
        String manner = span + (limit.costsOne() ? "" : (span.isEmpty() ? "" : "-") + limit.unit());
        String word = given + (manner.isEmpty() ? "" : "-" + manner);
        if (limit.counter() != null) {
            return word;
        }
        return CounterName.of(policy.name(), id == null ? made : made.id(word), keyNames);
    }

    /** Reports costs that can never fit. */
    private void checkCosts(Limit made) {
        Long own = limit.cost();
        Field ownAt = limit.costAt();
        if (own != null && ownAt != null && own > made.capacity()) {
            ownAt.refuse(fits(made));
        }
        for (CostReader.Rule rule : policy.costs()) {
            Long amount = rule.amounts().byUnit().get(limit.unit());
            if (amount != null && amount > made.capacity()) {
                rule.at().report(amount + " " + limit.unit() + " (expected: " + fits(made) + ")");
            }
        }
    }

    private String fits(Limit made) {
        return "at most " + made.capacity() + ", the most that " + limit.field().path() + " can allow at once";
    }

    /** Returns one line for each set of numbers, in the order of addition; null for unlimited or invalid numbers. */
    List<@Nullable Line> all() {
        return Collections.unmodifiableList(lines);
    }

    List<Line> made() {
        return lines.stream().filter(Objects::nonNull).toList();
    }

    Cost cost() {
        Long own = limit.cost();
        Long most = policy.maxCosts().byUnit().get(limit.unit());
        return new Cost(limit.unit(), rules, own == null ? 1 : own, most == null ? Costs.MAX : most);
    }
}
