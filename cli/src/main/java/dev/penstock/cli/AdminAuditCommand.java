package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin audit}: lists the changes made through the admin port. */
@Command(
        name = "audit",
        description = "Lists what was changed through the admin port, newest first.",
        footer = "  penstock admin audit --limit 20")
final class AdminAuditCommand extends AdminCall {
    private static final int MOST = 1_000;

    @Option(names = "--limit", paramLabel = "NUMBER", description = "The maximum number of changes; default: 100.")
    private @Nullable String limit;

    AdminAuditCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.get("/admin/audit" + limitedTo(limit, MOST));
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (!answer.path("written").asBoolean()) {
            out.text("changes are not recorded: admin.audit_file is off").end();
            return;
        }
        Table table = new Table("at", "who", "from", "what", "result", "about");
        for (JsonNode change : answer.path("changes")) {
            table.row(
                    change.path("at").asText(),
                    change.path("who").asText(),
                    change.path("from").asText(),
                    change.path("what").asText(),
                    change.path("result").asText(),
                    change.has("about") ? change.get("about").toString() : "");
        }
        table.write(out);
    }
}
