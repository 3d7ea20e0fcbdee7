package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code penstock admin status}: shows the state of a node. */
@Command(
        name = "status",
        description = "Shows the state of a node: its build, policies, store and ports.",
        footer = {"  penstock admin status", "  penstock admin status --url http://10.0.0.7:8081"})
final class AdminStatusCommand extends AdminCall {
    AdminStatusCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/status");
    }

    @Override
    void print(Output out, JsonNode answer) {
        line(out, "node", answer.path("node").asText());
        line(out, "version", answer.path("version").asText());
        line(out, "state", answer.path("state").asText());
        line(out, "started", answer.path("started_at").asText());
        if (answer.has("region")) {
            line(out, "region", answer.path("region").asText());
        }
        JsonNode policies = answer.path("policies");
        line(
                out,
                "policies",
                "version " + policies.path("version").asText() + ", hash "
                        + policies.path("hash").asText() + ", loaded "
                        + policies.path("loaded_at").asText());
        JsonNode store = answer.path("store");
        String up = store.path("up").asBoolean()
                ? store.path("shared").asBoolean() ? "up" : "of this node only"
                : "away since " + store.path("in_fallback_since").asText();
        line(out, "store", store.path("name").asText() + ", " + up);
        for (Map.Entry<String, JsonNode> shard : store.path("trips_per_second").properties()) {
            String rate = String.format(
                    Locale.ROOT, "%.1f round trips per second", shard.getValue().asDouble());
            line(out, "", shard.getKey() + ", " + rate);
        }
        if (!store.path("leases").isEmpty()) {
            List<String> leases = new ArrayList<>();
            store.path("leases").properties().forEach(each -> leases.add(each.getKey() + " " + each.getValue()));
            line(out, "leases", "permits drawn in advance: " + String.join(", ", leases));
        }
        List<String> ports = new ArrayList<>();
        answer.path("ports").properties().forEach(port -> ports.add(port.getKey() + " " + port.getValue()));
        line(out, "ports", String.join(", ", ports));
        for (JsonNode note : answer.path("notes")) {
            out.text(Tone.BAD, "note      ").text(note.asText()).end();
        }
    }

    private static void line(Output out, String name, String value) {
        out.text(Tone.ASIDE, String.format("%-10s", name)).text(value).end();
    }
}
