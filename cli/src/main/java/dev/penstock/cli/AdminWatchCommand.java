package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.penstock.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin watch}: logs every decision about one attribute value for a time. */
@Command(
        name = "watch",
        description = {
            "Writes all decisions about one user, address or other attribute to a node's decision log for a time.",
            "Without options, shows what is watched."
        },
        footer = {
            "  penstock admin watch --attribute user=alice --for 10m",
            "  penstock admin watch --attribute user=alice --end",
            "  penstock admin watch"
        })
final class AdminWatchCommand extends AdminCall {
    @Option(names = "--attribute", paramLabel = "NAME=VALUE", description = "The attribute to watch: user=alice.")
    private @Nullable String attribute;

    @Option(names = "--for", paramLabel = "TIME", description = "For how long: 10m, 1h; at most a day.")
    private @Nullable String life;

    @Option(names = "--end", description = "Stop watching the attribute now.")
    private boolean isEnded;

    AdminWatchCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        if (attribute == null && life == null && !isEnded) {
            return client.get("/admin/log/watch");
        } else if (attribute == null) {
            throw new UsageError("--attribute", "nothing", "NAME=VALUE");
        } else if ((life == null) != isEnded) {
            throw new UsageError("--for", isEnded ? "used together with --end" : "nothing", "a time, or --end");
        }
        Request who = RequestText.parse(List.of(attribute), List.of());
        Map.Entry<String, String> only = who.attributes().entrySet().iterator().next();
        Duration time = life == null ? Duration.ZERO : AdminTime.parse("--for", life);
        return client.post(
                "/admin/log/watch",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("attribute", only.getKey())
                        .put("value", only.getValue())
                        .put("for_ms", time.toMillis())
                        .toString());
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (!answer.path("written").asBoolean()) {
            out.text("decisions are not recorded: decision_log.file is not set").end();
        } else if (answer.path("watched").isEmpty()) {
            out.text("nothing is watched").end();
        } else {
            Table table = new Table("who", "until");
            for (JsonNode each : answer.path("watched")) {
                table.row(
                        each.path("attribute").asText() + "="
                                + each.path("value").asText(),
                        each.path("until").asText());
            }
            table.write(out);
        }
    }
}
