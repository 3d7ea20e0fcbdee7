package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.policy.internal.match.Condition;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.select.CostRule;
import dev.penstock.policy.internal.text.Unexpected;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what requests cost: {@code cost} and {@code max_cost} of a policy. */
final class CostReader {
    private static final String EXPECTED =
            "a number of requests, a mapping of units or routes to numbers, or a list of rules";
    private static final String MATCH = "match";

    /** A rule with its place. */
    record Rule(CostRule rule, Field at) {}

    private final MatchReader matches;

    CostReader(MatchReader matches) {
        this.matches = matches;
    }

    List<Rule> read(@Nullable Field field) {
        List<Rule> rules = new ArrayList<>();
        if (field == null) {
            return rules;
        }
        if (field.isList()) {
            for (Field item : field.items(EXPECTED)) {
                rules.add(listed(item));
            }
        } else if (field.isMapping()) {
            mapping(field, rules);
        } else {
            add(rules, Match.EVERYTHING, field);
        }
        return rules;
    }

    private Rule listed(Field item) {
        Words words = item.words("a rule such as { match: { method: POST }, requests: 5 }");
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (Words.Word word : words.all()) {
            if (!word.word().equals(MATCH)) {
                unit(word, amounts);
            }
        }
        if (item.isMapping() && amounts.isEmpty()) {
            item.report("no cost (expected: a unit and a number, such as requests: 5)");
        }
        return new Rule(new CostRule(matches.read(words.get(MATCH)), amounts), item);
    }

    private void mapping(Field field, List<Rule> rules) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (Words.Word word : field.words("").all()) {
            if (!word.word().startsWith("/")) {
                unit(word, amounts);
                continue;
            }
            try {
                RoutePattern pattern = RoutePattern.parse(word.word());
                add(rules, new Match(List.of(new Condition.OnRoute(List.of(pattern)))), word.value());
            } catch (Unexpected e) {
                word.refuse(e.expected());
            }
        }
        if (!amounts.isEmpty()) {
            rules.add(new Rule(new CostRule(Match.EVERYTHING, amounts), field));
        }
    }

    private static void add(List<Rule> rules, Match match, Field cost) {
        Map<String, Long> amounts = amounts(cost);
        if (!amounts.isEmpty()) {
            rules.add(new Rule(new CostRule(match, amounts), cost));
        }
    }

    /** A number of requests, or a mapping of units to numbers. */
    static Map<String, Long> amounts(@Nullable Field field) {
        Map<String, Long> amounts = new LinkedHashMap<>();
        if (field == null) {
            return amounts;
        }
        if (!field.isMapping()) {
            Long requests = Texts.count(field);
            if (requests != null) {
                amounts.put(Costs.REQUESTS, requests);
            }
            return amounts;
        }
        for (Words.Word word : field.words("").all()) {
            unit(word, amounts);
        }
        return amounts;
    }

    private static void unit(Words.Word word, Map<String, Long> amounts) {
        try {
            String unit = Texts.checkedName(word.word());
            Long amount = Texts.count(word.value());
            if (amount != null) {
                amounts.put(unit, amount);
            }
        } catch (Unexpected e) {
            word.refuse("the name of a unit, or a route that begins with /");
        }
    }
}
