package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code penstock admin keys unblock}: ends the block of a key. */
@Command(
        name = "unblock",
        description = "Unblocks a key that an operator has blocked.",
        footer = "  penstock admin keys unblock --policy login --key 192.0.2.1")
final class AdminKeysUnblockCommand extends AdminCall {
    @Mixin
    private final KeyOptions keys = new KeyOptions();

    AdminKeysUnblockCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws UsageError, Failure {
        return client.post("/admin/keys/unblock", keys.body());
    }

    @Override
    void print(Output out, JsonNode answer) {
        out.text(Tone.GOOD, "unblocked:")
                .text(" " + Plural.of(answer.path("unblocked").asLong(), "key"))
                .end();
    }
}
