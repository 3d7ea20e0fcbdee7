package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code penstock admin keys reset}: resets the counters of a key. */
@Command(
        name = "reset",
        description = "Resets the counters of a key on all nodes that share the store, and lifts its blocks.",
        footer = {
            "  penstock admin keys reset user=alice route=/api/reports",
            "  penstock admin keys reset --policy login --limit tries --key 192.0.2.1",
            "  penstock admin keys reset --policy login --all"
        })
final class AdminKeysResetCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    @Option(names = "--all", description = "Resets all keys of the policy. The time depends on their number.")
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
    void print(Output out, JsonNode answer) {
        long counters =
                all ? answer.path("counters").size() : answer.path("reset").asLong();
        out.text(Tone.GOOD, "reset:")
                .text(" " + Plural.of(counters, "counter") + (all ? ", for all keys" : ""))
                .end();
        for (JsonNode other : answer.path("shared_with")) {
            out.text("the policy " + other.asText() + " shares these counters, so it was reset too")
                    .end();
        }
    }
}
