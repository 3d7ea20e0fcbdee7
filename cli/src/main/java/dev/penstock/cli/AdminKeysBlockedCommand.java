package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code penstock admin keys blocked}: lists the keys that operators have blocked. */
@Command(
        name = "blocked",
        description = "Lists the keys that operators have blocked, by whom and until when.",
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
    void print(Output out, JsonNode answer) {
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
