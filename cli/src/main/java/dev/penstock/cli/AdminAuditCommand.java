package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin audit}: what was changed through the admin port. */
@Command(
        name = "audit",
        description = "Tells what was changed through the admin port, the newest first.",
        footer = "  penstock admin audit --limit 20")
final class AdminAuditCommand extends AdminCall {
    private static final int MOST = 1_000;

    @Option(names = "--limit", paramLabel = "NUMBER", description = "How many changes at most; 100 unless told.")
    private @Nullable String limit;

    AdminAuditCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.get("/admin/audit" + limitedTo(limit, MOST));
    }

    @Override
    void tell(Output out, JsonNode answer) {
        if (!answer.path("written").asBoolean()) {
            out.text("changes are not written down: admin.audit_file is off").end();
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
