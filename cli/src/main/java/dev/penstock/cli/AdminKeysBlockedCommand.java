package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code penstock admin keys blocked}: the keys that are blocked by hand. */
@Command(
        name = "blocked",
        description = "Tells which keys are blocked by hand, by whom and until when.",
        footer = "  penstock admin keys blocked")
final class AdminKeysBlockedCommand extends AdminCall {
    AdminKeysBlockedCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/keys/blocked");
    }

    @Override
    void tell(Output out, JsonNode answer) {
        Table table = new Table("policy", "key", "by", "since", "until");
        for (JsonNode each : answer.path("blocked")) {
            table.row(
                    each.path("policy").asText(),
                    KeyText.of(each.path("parts"), each.path("key")),
                    each.path("by").asText(),
                    each.path("since").asText(),
                    each.path("until").asText());
        }
        table.write(out);
    }
}
