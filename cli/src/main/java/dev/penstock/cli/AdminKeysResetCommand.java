package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock admin keys reset}: forgets what was counted for a key. */
@Command(
        name = "reset",
        description = "Forgets what was counted for a key, on all nodes that share the store, and lifts its blocks.",
        footer = {
            "  penstock admin keys reset user=alice route=/api/reports",
            "  penstock admin keys reset --policy login --limit tries --key 192.0.2.1",
            "  penstock admin keys reset --policy login --all"
        })
final class AdminKeysResetCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    @Option(names = "--all", description = "All keys of the policy; takes as long as there are any.")
    private boolean all;

    AdminKeysResetCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return all
                ? client.postPatiently("/admin/policies/" + keys.policyAlone() + "/reset", "")
                : client.post("/admin/keys/reset", keys.body());
    }

    @Override
    void tell(Output out, JsonNode answer) {
        long counters =
                all ? answer.path("counters").size() : answer.path("reset").asLong();
        out.text(Tone.GOOD, "reset:")
                .text(" " + Plural.of(counters, "counter") + (all ? ", for all keys" : ""))
                .end();
        for (JsonNode other : answer.path("shared_with")) {
            out.text("the policy " + other.asText() + " counts there, too").end();
        }
    }
}
