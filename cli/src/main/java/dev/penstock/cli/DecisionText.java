package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import java.util.ArrayList;
import java.util.List;

/** Formats a line of the decision log as text. */
final class DecisionText {
    private DecisionText() {}

    static void write(Output out, JsonNode line) {
        boolean isAllowed = line.path("outcome").asText().equals("allowed");
        out.text(Tone.ASIDE, line.path("at").asText())
                .text("  ")
                .text(isAllowed ? Tone.GOOD : Tone.BAD, isAllowed ? "allowed" : "denied ")
                .text("  " + Output.inLine(String.join("  ", words(line))))
                .end();
    }

    private static List<String> words(JsonNode line) {
        List<String> words = new ArrayList<>();
        if (line.has("policy")) {
            String limit = line.path("limit").asText();
            words.add(line.path("policy").asText() + (limit.isEmpty() ? "" : "/" + limit));
        }
        if (line.has("key")) {
            words.add(KeyText.of(line.path("key_type"), line.path("key")));
        }
        if (line.has("route")) {
            words.add(line.path("route").asText());
        }
        if (line.has("remaining")) {
            words.add(line.path("remaining").asText() + " " + line.path("unit").asText() + " left");
        }
        if (line.has("reason")) {
            words.add(line.path("reason").asText());
        }
        if (line.has("shadow_denied_by")) {
            List<String> policies = new ArrayList<>();
            line.path("shadow_denied_by").forEach(policy -> policies.add(policy.asText()));
            words.add("would be denied by " + String.join(", ", policies));
        }
        words.add("by " + line.path("decided_by").asText());
        return words;
    }
}
