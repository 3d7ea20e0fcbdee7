package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.policy.internal.match.Condition;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.RoutePattern;
import dev.penstock.policy.internal.select.CostRule;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.Unexpected;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the costs of requests: {@code cost} and {@code max_cost} of a policy. */
final class CostReader {
    private static final String EXPECTED =
            "a number of requests, a mapping of units or routes to numbers, or a list of rules";
    private static final String AMOUNTS_EXPECTED = "a number of requests, or a mapping of units to numbers";
    private static final String MATCH = "match";

    /** The place in a file where the cost of a unit is defined. */
    interface Place {
        void refuse(String expected);
    }

    /** The cost per unit, and where each is defined. */
    record Amounts(Map<String, Long> byUnit, Map<String, Place> places) {
        Amounts() {
            this(new LinkedHashMap<>(), new LinkedHashMap<>());
        }

        void add(String unit, @Nullable Long amount, Place place) {
            if (amount != null) {
                byUnit.put(unit, amount);
                places.put(unit, place);
            }
        }
    }

    /** A rule with its place. */
    record Rule(Match match, Amounts amounts, Field at) {
        CostRule rule() {
            return new CostRule(match, amounts.byUnit());
        }
    }

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
            List<Field> items = field.items(EXPECTED);
            if (items.isEmpty()) {
                field.report("an empty list (expected: " + EXPECTED + ")");
            }
            items.forEach(item -> rules.add(listed(item)));
        } else if (field.isMapping()) {
            mapping(field, rules);
        } else {
            rules.add(new Rule(Match.EVERYTHING, amounts(field, CountText::parse), field));
        }
        return rules;
    }

    /** Reads the highest cost that callers can state. */
    Amounts readMost(@Nullable Field field) {
        return field == null ? new Amounts() : amounts(field, CountText::parsePositive);
    }

    private Rule listed(Field item) {
        Words words = item.words("a rule such as { match: { method: POST }, requests: 5 }");
        Amounts amounts = new Amounts();
        boolean priced = false;
        for (Words.Word word : words.all()) {
            if (!word.word().equals(MATCH)) {
                unit(word, CountText::parse, amounts, "the name of a unit, or match");
                priced = true;
            }
        }
        if (item.isMapping() && !priced) {
            item.report("no cost (expected: a unit and a number, such as requests: 5)");
        }
        return new Rule(matches.read(words.get(MATCH)), amounts, item);
    }

    private static void mapping(Field field, List<Rule> rules) {
        Amounts amounts = new Amounts();
        Words words = field.words(EXPECTED);
        if (words.isEmpty()) {
            field.report("an empty mapping (expected: " + EXPECTED + ")");
        }
        for (Words.Word word : words.all()) {
            if (!word.word().startsWith("/")) {
                unit(word, CountText::parse, amounts, "the name of a unit, or a route that begins with /");
                continue;
            }
            try {
                RoutePattern pattern = RoutePattern.parse(word.word());
                Match match = new Match(List.of(new Condition.OnRoute(List.of(pattern))));
                rules.add(new Rule(match, amounts(word.value(), CountText::parse), word.value()));
            } catch (Unexpected e) {
                word.refuse(e.expected());
                amounts(word.value(), CountText::parse);
            }
        }
        if (!amounts.byUnit().isEmpty()) {
            rules.add(new Rule(Match.EVERYTHING, amounts, field));
        }
    }

    /** Reads a number of requests, or a mapping of units to numbers. */
    private static Amounts amounts(Field field, Texts.TextParser<Long> form) {
        Amounts amounts = new Amounts();
        if (!field.isMapping()) {
            amounts.add(Costs.REQUESTS, Texts.read(field, AMOUNTS_EXPECTED, form), field::refuse);
            return amounts;
        }
        Words words = field.words(AMOUNTS_EXPECTED);
        if (words.isEmpty()) {
            field.report("an empty mapping (expected: " + AMOUNTS_EXPECTED + ")");
        }
        for (Words.Word word : words.all()) {
            unit(word, form, amounts, "the name of a unit");
        }
        return amounts;
    }

    private static void unit(Words.Word word, Texts.TextParser<Long> form, Amounts amounts, String expected) {
        try {
            String unit = Texts.checkedName(word.word());
            String hint = Texts.didYouMean(unit, List.of(MATCH));
            boolean meantMatch = word.value().isMapping() && !hint.isEmpty();
            Long amount = Texts.read(word.value(), "a whole number" + (meantMatch ? hint : ""), form);
            amounts.add(unit, amount, word::refuse);
        } catch (Unexpected e) {
            word.refuse(expected);
        }
    }
}
