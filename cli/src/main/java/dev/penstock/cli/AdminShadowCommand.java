package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock admin shadow}: puts the whole service in shadow mode for a time. */
@Command(
        name = "shadow",
        description = "Starts or ends shadow mode, in which nothing is denied. Without options, shows the state.",
        footer = {"  penstock admin shadow --for 10m", "  penstock admin shadow --end", "  penstock admin shadow"})
final class AdminShadowCommand extends AdminCall {
    @Option(names = "--for", paramLabel = "TIME", description = "For how long: 10m, 1h; at most a week.")
    private @Nullable String life;

    @Option(names = "--end", description = "Ends shadow mode now.")
    private boolean isEnded;

    AdminShadowCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        if (life != null && isEnded) {
            throw new UsageError("--end", "used together with --for", "only one of the two");
        }
        if (life == null && !isEnded) {
            return client.get("/admin/shadow");
        }
        long millis = life == null ? 0 : AdminTime.parse("--for", life).toMillis();
        return client.post("/admin/shadow", "{\"for_ms\": " + millis + "}");
    }

    @Override
    void print(Output out, JsonNode answer) {
        if (answer.path("shadow").asBoolean()) {
            out.text(Tone.BAD, "in shadow mode")
                    .text(" until " + answer.path("until").asText() + ": nothing is denied")
                    .end();
        } else {
            out.text(Tone.GOOD, "not in shadow mode:")
                    .text(" limits are enforced")
                    .end();
        }
    }
}
