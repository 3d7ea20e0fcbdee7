package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin top}: who asks most, and who is denied most. */
@Command(
        name = "top",
        description = "Tells who asks most and who is denied most, over the last minute or two.",
        footer = "  penstock admin top --limit 5")
final class AdminTopCommand extends AdminCall {
    private static final int MOST = 20;

    @Option(names = "--limit", paramLabel = "NUMBER", description = "How many keys of each policy; 10 unless told.")
    private @Nullable String limit;

    AdminTopCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.get("/admin/keys/top" + limitedTo(limit, MOST));
    }

    @Override
    void tell(Output out, JsonNode answer) {
        Table table = new Table("policy", "", "key", "count", "a second", "");
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
                        + (isOfAll ? Plural.of(answer.path("nodes").asLong(), "node") : "this node alone"))
                .end();
    }

    private static String count(JsonNode talker) {
        long over = talker.path("over").asLong();
        String count = talker.path("count").asText();
        return over == 0 ? count : count + " (" + over + " less at most)";
    }
}
