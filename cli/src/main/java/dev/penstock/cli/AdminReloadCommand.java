package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code penstock admin reload}: makes a service reload its policies now. */
@Command(
        name = "reload",
        description = "Reloads the policy files now. If they have errors, the previous version stays in use.",
        footer = "  penstock admin reload")
final class AdminReloadCommand extends AdminCall {
    AdminReloadCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.post("/admin/policies/reload", "");
    }

    @Override
    void print(Output out, JsonNode answer) {
        AdminPoliciesCommand.inUse(out, answer);
    }
}
