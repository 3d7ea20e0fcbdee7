package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin top}: shows the keys with the most requests and the most denials. */
@Command(
        name = "top",
        description = "Shows the keys with the most requests and denials, over the last one to two minutes.",
        footer = "  penstock admin top --limit 5")
final class AdminTopCommand extends AdminCall {
    private static final int MOST = 20;

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            description = "The maximum number of keys per policy; default: 10.")
    private @Nullable String limit;

    AdminTopCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.get("/admin/keys/top" + limitedTo(limit, MOST));
    }

    @Override
    void print(Output out, JsonNode answer) {
        Table table = new Table("policy", "", "key", "count", "per second", "");
        for (JsonNode policy : answer.path("policies")) {
            for (String what : List.of("asked", "denied")) {
                for (JsonNode each : policy.path(what)) {
                    table.row(
                            policy.path("policy").asText(),
                            what,
                            KeyText.of(each.path("parts"), each.path("key")),
                            count(each),
                            String.format(
                                    Locale.ROOT, "%.1f", each.path("per_second").asDouble()),
                            each.path("hot").asBoolean() ? "hot" : "");
                }
            }
        }
        table.write(out);
        boolean isOfAll = answer.path("from").asText().equals("store");
        out.text("over " + Math.round(answer.path("seconds").asDouble()) + " s, of "
                        + (isOfAll ? Plural.of(answer.path("nodes").asLong(), "node") : "this node only"))
                .end();
    }

    private static String count(JsonNode topKey) {
        long over = topKey.path("over").asLong();
        String count = topKey.path("count").asText();
        return over == 0 ? count : count + " (up to " + over + " less)";
    }
}
