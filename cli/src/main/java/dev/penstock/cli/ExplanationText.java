package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.Explanation.KeyValue;
import dev.penstock.policy.Explanation.OfLimit;
import dev.penstock.policy.Explanation.OfPolicy;
import dev.penstock.spi.StaticDecision;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats explanations as text: the static decision, the policies that match with their limits, then those that do not.
 */
final class ExplanationText {
    private final Output out;

    ExplanationText(Output out) {
        this.out = out;
    }

    void write(Explanation explanation) {
        field(0, "policies", explanation.version().hash());
        String plan = explanation.plan();
        if (plan != null) {
            field(0, "plan", plan);
        }
        StaticDecision staticDecision = explanation.staticDecision();
        if (staticDecision != null) {
            field(0, "decided", StaticDecisionText.of(staticDecision));
        }
        explanation.policies().stream().filter(OfPolicy::matches).forEach(this::matching);
        List<OfPolicy> others =
                explanation.policies().stream().filter(each -> !each.matches()).toList();
        if (!others.isEmpty()) {
            out.end();
            out.text("do not match:").end();
            int width =
                    others.stream().mapToInt(each -> each.name().length()).max().orElse(0);
            others.forEach(each -> out.text("  ")
                    .text(Tone.NAME, each.name())
                    .text(" ".repeat(width - each.name().length() + 2))
                    .text(Tone.ASIDE, String.valueOf(each.whyNot()))
                    .end());
        }
    }

    private void matching(OfPolicy policy) {
        out.end();
        out.text(Tone.GOOD, policy.name())
                .text(Tone.ASIDE, " (" + policy.role() + ")")
                .end();
        policy.limits().forEach(this::limit);
    }

    private void limit(OfLimit limit) {
        out.text("  ");
        if (!limit.id().isEmpty()) {
            out.text(Tone.NAME, limit.id()).text("  ");
        }
        out.text(limit.numbers()).end();
        String whyNot = limit.whyNot();
        if (whyNot != null) {
            field(4, "left out", whyNot);
        }
        field(4, "key", key(limit.key()));
        if (limit.applies()) {
            field(4, "cost", limit.unit() + ": " + limit.cost());
            field(4, "counter", limit.counter());
        }
        limit.notes().forEach(note -> field(4, "note", note));
    }

    private void field(int indent, String name, String value) {
        out.text(" ".repeat(indent))
                .text(Tone.ASIDE, String.format("%-10s", name))
                .text(value)
                .end();
    }

    private static String key(List<KeyValue> key) {
        if (key.isEmpty()) {
            return "everyone together";
        }
        return key.stream()
                .map(each -> each.value() == null ? "no " + each.part() : each.part() + "=" + each.value())
                .collect(Collectors.joining(", "));
    }
}
