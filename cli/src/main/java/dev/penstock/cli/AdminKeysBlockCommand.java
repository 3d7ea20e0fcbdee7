package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock admin keys block}: denies everything that is charged to a key. */
@Command(
        name = "block",
        description = "Blocks a key for a time: everything charged to it is denied, on all nodes that share the store.",
        footer = {
            "  penstock admin keys block --policy login --key 192.0.2.1 --for 10m",
            "  penstock admin keys block user=alice route=/api/reports --for 1h"
        })
final class AdminKeysBlockCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    @Option(names = "--for", paramLabel = "TIME", required = true, description = "For how long: 10m, 1h, 7d.")
    private String life = "";

    AdminKeysBlockCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.post("/admin/keys/block", keys.body(AdminTime.parse("--for", life)));
    }

    @Override
    void print(Output out, JsonNode answer) {
        out.text(Tone.GOOD, "blocked:")
                .text(" " + Plural.of(answer.path("blocked").asLong(), "key") + ", for " + life)
                .end();
    }
}
