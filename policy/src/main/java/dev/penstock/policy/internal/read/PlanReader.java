package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.MomentText;
import dev.penstock.policy.text.RateText;
import dev.penstock.policy.text.Unexpected;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code plans} and {@code tenants}. */
final class PlanReader {
    private static final String UNLIMITED = "unlimited";
    private static final String BURST = "burst";

    private PlanReader() {}

    static PlanDraft plan(Field field) {
        Map<String, PlanDraft.Value> values = new LinkedHashMap<>();
        Words words = field.words("a mapping of names to rates and numbers, such as { requests: 60/min }");
        for (Words.Word word : words.all()) {
            if (!word.word().equals(BURST)) {
                value(word, values);
            }
        }
        Field burst = words.get(BURST);
        if (burst != null) {
            addBurst(burst, values);
        }
        if (field.isMapping() && words.isEmpty()) {
            field.report("an empty mapping (expected: at least one name with a rate or a number)");
        }
        return new PlanDraft(field, values);
    }

    private static void value(Words.Word word, Map<String, PlanDraft.Value> values) {
        try {
            String name = Texts.checkedName(word.word());
            Amount amount = amount(word.value());
            // The error is already reported. A stand-in value avoids a second error that says the plan lacks the name.
            values.put(name, new PlanDraft.Value(amount == null ? new Amount.Unlimited() : amount, word.value()));
        } catch (Unexpected e) {
            word.refuse(e.expected());
        }
    }

    private static @Nullable Amount amount(Field field) {
        if (!field.isMapping()) {
            return Texts.read(field, Amount.EXPECTED, PlanReader::amount);
        }
        Words words = field.words("").only("rate", BURST);
        Field rateAt = words.required("rate", "a rate such as rate: 100/min");
        RateText rate = Texts.read(rateAt, RateText.EXPECTED, RateText::parse);
        Long burst = Texts.positive(words.get(BURST));
        return rate == null ? null : new Amount.OfRate(rate, burst);
    }

    private static Amount amount(String text) throws Unexpected {
        if (text.equals(UNLIMITED)) {
            return new Amount.Unlimited();
        }
        if (text.contains("/") || text.contains(" ")) {
            return new Amount.OfRate(RateText.parse(text), null);
        }
        if (!text.isEmpty() && Character.isLetter(text.charAt(0))) {
            throw new Unexpected(Amount.EXPECTED + Texts.didYouMean(text, List.of(UNLIMITED)));
        }
        return new Amount.OfCount(CountText.parsePositive(text));
    }

    /** Adds a burst that is written beside the rates to the only rate. */
    private static void addBurst(Field field, Map<String, PlanDraft.Value> values) {
        Long burst = Texts.positive(field);
        String owner = null;
        for (Map.Entry<String, PlanDraft.Value> entry : values.entrySet()) {
            if (entry.getValue().amount() instanceof Amount.OfRate) {
                if (owner != null) {
                    field.refuse("a burst beside its rate, as in " + owner
                            + ": { rate: 100/min, burst: 20 }, because there are several rates");
                    return;
                }
                owner = entry.getKey();
            }
        }
        PlanDraft.Value value = owner == null ? null : values.get(owner);
        if (value == null || !(value.amount() instanceof Amount.OfRate rate)) {
            field.refuse("a rate for this burst");
        } else if (rate.burst() != null) {
            field.refuse("only one burst for " + owner);
        } else if (burst != null && owner != null) {
            values.put(owner, new PlanDraft.Value(new Amount.OfRate(rate.rate(), burst), value.at()));
        }
    }

    /** Reads a tenant; null if it names no plan. */
    static @Nullable TenantDraft tenant(Field field) {
        if (!field.isMapping()) {
            String plan = field.text("the name of a plan, or { plan: NAME, overrides: { ... } }");
            return plan == null ? null : new TenantDraft(field, plan, null, null);
        }
        Words words = field.words("").only("plan", "overrides", "until");
        Field planAt = words.required("plan", "the name of a plan");
        Field overridesAt = words.get("overrides");
        Field untilAt = words.get("until");
        PlanDraft overrides = overridesAt == null ? null : plan(overridesAt);
        Instant until = Texts.read(untilAt, MomentText.EXPECTED, MomentText::parse);
        if (untilAt != null && overrides == null) {
            untilAt.report("until without overrides (expected: overrides that end then)");
        }
        String plan = planAt == null ? null : planAt.text("the name of a plan");
        return plan == null || planAt == null ? null : new TenantDraft(planAt, plan, overrides, until);
    }
}
