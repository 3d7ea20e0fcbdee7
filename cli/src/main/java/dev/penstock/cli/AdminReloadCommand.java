package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.Command;

/** {@code penstock admin reload}: makes a service read its policies now. */
@Command(
        name = "reload",
        description =
                "Reads the files of the policies now; where they cannot be used, the version before stays in use.",
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
    void tell(Output out, JsonNode answer) {
        AdminPoliciesCommand.inUse(out, answer);
    }
}
