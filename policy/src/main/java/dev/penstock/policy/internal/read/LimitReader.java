package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.policy.internal.read.AlgorithmWord.Numbers;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.DurationText;
import dev.penstock.policy.text.RateText;
import dev.penstock.policy.text.Unexpected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads one entry of {@code limits}. */
final class LimitReader {
    private static final String EXPECTED = "a limit such as { key: [user], token_bucket: 100/min }";
    private static final String PLAN = "plan.";

    /** The words that a limit can have beside its algorithm. */
    private static final List<String> WORDS = List.of(
            "key",
            "burst",
            "queue",
            "ttl",
            "unit",
            "cost",
            "id",
            "counter",
            "local",
            "expose",
            "block_for",
            "when_missing",
            "max_debt");

    /** How to count requests that lack an attribute of the key. */
    enum Missing {
        SKIP,
        SHARE
    }

    private final KeyReader keys;

    LimitReader(KeyReader keys) {
        this.keys = keys;
    }

    /** Returns the limit; null if its algorithm, key or unit is missing or invalid. */
    @Nullable
    LimitDraft read(Field field) {
        List<String> known = new ArrayList<>(AlgorithmWord.words());
        known.addAll(WORDS);
        Words words = field.words(EXPECTED).only(known);
        Words.Word algorithm = algorithm(field, words);
        Field key = words.required(
                "key", "the attributes that it counts by, such as key: [user]; key: [] counts everyone together");
        List<KeyPart> parts = key == null ? null : keys.read(key);
        if (algorithm == null) {
            return null;
        }
        AlgorithmWord word = AlgorithmWord.valueOf(algorithm.word().toUpperCase(Locale.ROOT));
        String planName = planName(algorithm.value());
        Numbers numbers = numbers(words, word, planName);
        Amount amount = planName == null ? amount(algorithm.value(), word, numbers) : null;
        Field burst = words.get("burst");
        if (planName != null && burst != null) {
            burst.refuse("none here: a burst belongs to the plan, as in requests: { rate: 100/min, burst: 20 }");
        }
        Field missing = words.get("when_missing");
        boolean slots = word == AlgorithmWord.CONCURRENCY;
        String unit = unit(words.get("unit"), slots);
        LimitDraft draft = new LimitDraft(
                field,
                algorithm.value(),
                word,
                amount,
                planName,
                numbers,
                parts == null ? List.of() : parts,
                unit == null ? "" : unit,
                Texts.count(words.get("cost")),
                words.get("cost"),
                Texts.name(words.get("id")),
                Texts.name(words.get("counter")),
                Texts.flag(words.get("local"), false),
                Texts.flag(words.get("expose"), true),
                block(words.get("block_for")),
                missing == null ? null : whenMissing(missing),
                maxDebt(words.get("max_debt"), slots));
        return parts == null || unit == null ? null : draft;
    }

    static WhenMissing whenMissing(@Nullable Field field) {
        return Texts.word(field, Missing.class, Missing.SHARE) == Missing.SKIP ? WhenMissing.SKIP : WhenMissing.SHARE;
    }

    private static Words.@Nullable Word algorithm(Field field, Words words) {
        Words.Word found = null;
        List<String> algorithms = AlgorithmWord.words();
        for (Words.Word word : words.all()) {
            if (algorithms.contains(word.word())) {
                if (found != null) {
                    word.refuse("one algorithm per limit; " + found.word() + " is one already");
                    return null;
                }
                found = word;
            }
        }
        if (found == null && field.isMapping()) {
            field.report("no algorithm (expected: one of " + Texts.oneOf(algorithms) + ")");
        }
        return found;
    }

    private static Numbers numbers(Words words, AlgorithmWord word, @Nullable String planName) {
        for (Words.Word each : words.all()) {
            AlgorithmWord owner = AlgorithmWord.withCompanion(each.word());
            if (owner != null && owner != word) {
                each.refuse("a word that goes with " + word.word() + "; " + each.word() + " goes with " + owner.word());
            }
        }
        boolean leaky = word == AlgorithmWord.LEAKY_BUCKET;
        boolean slots = word == AlgorithmWord.CONCURRENCY;
        Field queue =
                leaky ? words.required("queue", "the number of permits that may be queued, such as queue: 100") : null;
        Field ttl = slots
                ? words.required(
                        "ttl", "the time after which a slot is freed if its holder disappears, such as ttl: 30s")
                : null;
        Duration life = Texts.time(ttl);
        if (ttl != null && life != null && life.toNanosPart() % 1_000_000 != 0) {
            ttl.refuse("whole milliseconds");
            life = null;
        }
        boolean bursts = word == AlgorithmWord.TOKEN_BUCKET && planName == null;
        return new Numbers(bursts ? Texts.positive(words.get("burst")) : null, Texts.positive(queue), life);
    }

    private static @Nullable String planName(Field field) {
        String text = field.textIfAny();
        if (text == null || !text.startsWith(PLAN)) {
            return null;
        }
        return text.substring(PLAN.length());
    }

    private static @Nullable Amount amount(Field field, AlgorithmWord word, Numbers numbers) {
        boolean slots = word == AlgorithmWord.CONCURRENCY;
        return Texts.read(
                field, slots ? "a number of slots, or plan.NAME" : RateText.EXPECTED + ", or plan.NAME", text -> {
                    Amount amount = slots
                            ? new Amount.OfCount(CountText.parsePositive(text))
                            : new Amount.OfRate(RateText.parse(text), null);
                    if (amount instanceof Amount.OfRate of
                            && of.rate() instanceof RateText.PerCalendar
                            && numbers.burst() != null) {
                        throw new Unexpected("a calendar only in fixed_window");
                    }
                    return amount;
                });
    }

    private static @Nullable String unit(@Nullable Field field, boolean slots) {
        if (field == null) {
            return slots ? Costs.SLOTS : Costs.REQUESTS;
        }
        return Texts.read(field, "the name of a unit", text -> {
            if (text.equals(Costs.SLOTS) != slots) {
                throw new Unexpected(
                        slots
                                ? "slots, the unit of concurrency"
                                : "a unit other than slots, which only concurrency counts");
            }
            return Texts.checkedName(text);
        });
    }

    private static @Nullable Long maxDebt(@Nullable Field field, boolean slots) {
        Long debt = Texts.count(field);
        if (field != null && debt != null && debt > 0 && slots) {
            field.refuse("0 for concurrency, which has no debt");
            return null;
        }
        return debt;
    }

    private static @Nullable BlockRule block(@Nullable Field field) {
        if (field == null) {
            return null;
        }
        if (!field.isMapping()) {
            Duration time = Texts.read(
                    field, "a time such as 10m, or { time: 10m, after: 5, within: 1m }", DurationText::parse);
            return time == null ? null : BlockRule.lasting(time);
        }
        Words words = field.words("").only("time", "after", "within");
        Duration time = Texts.time(words.required("time", "how long the key stays blocked, such as time: 10m"));
        Long after = Texts.positive(words.get("after"));
        Field withinAt = words.get("within");
        Duration within = Texts.time(withinAt);
        if (words.get("after") != null && withinAt == null) {
            field.report("no within (expected: the time within which these denials cause a block, such as within: 1m)");
        } else if (withinAt != null && words.get("after") == null) {
            field.report("no after (expected: the number of denials that cause a block, such as after: 5)");
        }
        if (time == null) {
            return null;
        }
        return after == null || within == null ? BlockRule.lasting(time) : new BlockRule(after, within, time);
    }
}
