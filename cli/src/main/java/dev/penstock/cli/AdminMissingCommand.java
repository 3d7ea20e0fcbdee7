package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code penstock admin missing}: shows how many requests lacked an attribute that a policy counts by. */
@Command(
        name = "missing",
        description = {
            "Shows how many requests lacked an attribute that a policy counts by, since this node started.",
            "Such requests share one account, so one caller can deny all others."
        },
        footer = "  penstock admin missing")
final class AdminMissingCommand extends AdminCall {
    private static final double PERCENT = 100;

    AdminMissingCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/missing");
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (answer.path("missing").isEmpty()) {
            out.text("no request lacked an attribute").end();
            return;
        }
        Table table = new Table("policy", "attribute", "requests", "missing");
        for (JsonNode each : answer.path("missing")) {
            long missing = each.path("missing").asLong();
            long requests = each.path("requests").asLong();
            table.row(
                    each.path("policy").asText(),
                    each.path("attribute").asText(),
                    Long.toString(requests),
                    String.format(Locale.ROOT, "%d (%.1f %%)", missing, PERCENT * missing / requests));
        }
        table.write(out);
        out.text("on the node " + answer.path("node").asText()).end();
    }
}
