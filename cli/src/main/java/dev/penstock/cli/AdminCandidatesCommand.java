package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code penstock admin candidates}: shows how candidates compare with their live policies. */
@Command(
        name = "candidates",
        description = {
            "Shows how each candidate compares with the policy it may replace, since this node started.",
            "Stricter: requests that only the candidate would deny. Looser: requests that only the live policy denied."
        },
        footer = "  penstock admin candidates")
final class AdminCandidatesCommand extends AdminCall {
    private static final double PERCENT = 100;

    AdminCandidatesCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/candidates");
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (answer.path("candidates").isEmpty()) {
            out.text("no policy has candidate_of").end();
            return;
        }
        Table table = new Table("candidate", "of", "compared", "stricter", "looser");
        for (JsonNode each : answer.path("candidates")) {
            table.row(
                    each.path("policy").asText(),
                    each.path("candidate_of").asText(),
                    each.path("compared").asText(),
                    share(each, "stricter"),
                    share(each, "looser"));
        }
        table.write(out);
        out.text("on the node " + answer.path("node").asText()).end();
    }

    private static String share(JsonNode candidate, String result) {
        long part = candidate.path(result).asLong();
        long compared = candidate.path("compared").asLong();
        return compared == 0 ? "0" : String.format(Locale.ROOT, "%d (%.1f %%)", part, PERCENT * part / compared);
    }
}
