package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock admin keys show}: shows the counters of a key. */
@Command(
        name = "show",
        description = "Shows the counters of a key. Charges nothing.",
        footer = {
            "  penstock admin keys show user=alice route=/api/reports",
            "  penstock admin keys show --policy api --key alice"
        })
final class AdminKeysShowCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    AdminKeysShowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.post("/admin/keys/show", keys.body());
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (answer.has("ruled_by")) {
            String verdict = answer.path("allowed").asBoolean() ? "allowed" : "denied";
            out.text(verdict + " by " + answer.path("ruled_by").asText() + ", regardless of what was counted")
                    .end();
        }
        if (answer.path("decided_by").asText().equals("fallback")) {
            out.text("the store does not answer: these numbers are for this node only")
                    .end();
        }
        if (answer.path("limits").isEmpty()) {
            out.text("no limits").end();
            return;
        }
        Table table = new Table("limit", "key", "left", "of", "reset at", "");
        for (JsonNode limit : answer.path("limits")) {
            table.row(
                    limit.path("policy").asText() + "/" + limit.path("limit").asText(),
                    KeyText.of(limit.path("parts"), limit.path("key")),
                    limit.path("remaining").asText(),
                    limit.path("capacity").asText() + " " + limit.path("unit").asText(),
                    limit.path("free_at").asText(),
                    notes(limit));
        }
        table.write(out);
    }

    private static String notes(JsonNode limit) {
        List<String> notes = new ArrayList<>();
        if (limit.path("blocked").asBoolean()) {
            String by =
                    limit.has("blocked_by") ? " by " + limit.path("blocked_by").asText() : "";
            notes.add("blocked" + by + " until " + limit.path("blocked_until").asText());
        }
        if (limit.path("shadow").asBoolean()) {
            notes.add("shadow");
        }
        if (limit.path("local").asBoolean()) {
            notes.add("local limit");
        }
        if (limit.path("leased").asBoolean()) {
            notes.add("excluding permits that nodes have leased");
        }
        return String.join(", ", notes);
    }
}
