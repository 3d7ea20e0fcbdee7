package dev.penstock.policy.internal.read;

import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.FailurePlan.Unseen;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.internal.yaml.Words;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code on_store_failure}: a mode, or a mapping of {@code mode}, {@code for}, {@code then} and {@code unseen}. */
final class FailurePlanReader {
    private static final FailurePlan DEFAULT = FailurePlan.of(FailureMode.LOCAL);

    private FailurePlanReader() {}

    /** Reads the plan. Returns the default plan if the file has none or an invalid one. */
    static FailurePlan read(@Nullable Field field) {
        if (field == null || !field.isMapping()) {
            return FailurePlan.of(Texts.word(field, FailureMode.class, FailureMode.LOCAL));
        }
        Words words = field.words("").only("mode", "for", "then", "unseen");
        Field modeAt = words.required("mode", "mode: open, closed or local");
        FailureMode mode = modeAt == null ? null : Texts.wordOrNull(modeAt, FailureMode.class);
        FailurePlan plan = mode == null ? DEFAULT : FailurePlan.of(mode);
        plan = bounded(plan, mode, words);
        return unseen(plan, mode, words.get("unseen"));
    }

    /**
     * Adds {@code for} and {@code then} to the plan.
     *
     * @param mode null if it could not be read
     */
    private static FailurePlan bounded(FailurePlan plan, @Nullable FailureMode mode, Words words) {
        if (words.get("for") == null && words.get("then") == null) {
            return plan;
        }
        Field forAt = words.required("for", "how long, such as for: 10m");
        Field thenAt = words.required("then", "the mode after that time: " + others(mode));
        Duration time = Texts.time(forAt);
        FailureMode then = thenAt == null ? null : Texts.wordOrNull(thenAt, FailureMode.class);
        if (thenAt != null && then != null && then == mode) {
            thenAt.refuse(others(mode) + ", because the mode is " + word(mode) + " already");
            return plan;
        }
        if (mode == null || forAt == null || time == null || then == null) {
            return plan;
        }
        try {
            return plan.atMost(time, then);
        } catch (IllegalArgumentException e) {
            forAt.refuse("a shorter time; " + e.getMessage());
            return plan;
        }
    }

    private static FailurePlan unseen(FailurePlan plan, @Nullable FailureMode mode, @Nullable Field field) {
        if (field == null) {
            return plan;
        }
        Unseen unseen = Texts.word(field, Unseen.class, Unseen.SHARE);
        if (mode != null && !plan.usesShares()) {
            field.refuse("no unseen, which applies only to local");
            return plan;
        }
        return plan.unseen(unseen);
    }

    /** Lists the modes that can follow this one. */
    private static String others(@Nullable FailureMode mode) {
        List<String> words = Arrays.stream(FailureMode.values())
                .filter(each -> each != mode)
                .map(FailurePlanReader::word)
                .toList();
        return Texts.oneOf(words);
    }

    private static String word(FailureMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
