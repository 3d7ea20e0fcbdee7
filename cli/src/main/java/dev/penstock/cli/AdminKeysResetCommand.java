package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock admin keys reset}: forgets what was counted for a key. */
@Command(
        name = "reset",
        description = "Forgets what was counted for a key, on all nodes that share the store, and lifts its blocks.",
        footer = {
            "  penstock admin keys reset user=alice route=/api/reports",
            "  penstock admin keys reset --policy login --limit tries --key 192.0.2.1"
        })
final class AdminKeysResetCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    AdminKeysResetCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.post("/admin/keys/reset", keys.body());
    }

    @Override
    void tell(Output out, JsonNode answer) {
        out.text(Tone.GOOD, "reset:")
                .text(" " + Plural.of(answer.path("reset").asLong(), "counter"))
                .end();
    }
}
