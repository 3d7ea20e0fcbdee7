package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code penstock admin nodes}: lists the nodes that share a store. */
@Command(
        name = "nodes",
        description = "Lists the nodes that share the store, with their builds, states and policies.",
        footer = "  penstock admin nodes")
final class AdminNodesCommand extends AdminCall {
    AdminNodesCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/nodes");
    }

    @Override
    void print(Output out, JsonNode answer) {
        Table table = new Table("node", "version", "state", "region", "policies", "started", "");
        for (JsonNode node : answer.path("nodes")) {
            table.row(
                    node.path("node").asText("?"),
                    node.path("version").asText(),
                    node.path("state").asText(),
                    node.path("region").asText(),
                    node.path("policies").asText(),
                    node.path("started_at").asText(),
                    node.path("this").asBoolean() ? "this one" : "");
        }
        table.write(out);
        if (!answer.path("from").asText().equals("store")) {
            out.text("other nodes are unknown: there is no shared store, or it does not answer")
                    .end();
        }
    }
}
