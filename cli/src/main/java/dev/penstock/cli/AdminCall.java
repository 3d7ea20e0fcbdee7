package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** A command that asks a running service one thing, and tells the answer to people or to programs. */
@Command(
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The service did as it was told.",
            "1:It is not there, or it refused.",
            "2:The command line is wrong."
        })
abstract class AdminCall extends PenstockCommand {
    @Mixin
    private final AdminOptions options = new AdminOptions();

    AdminCall(Surroundings surroundings) {
        super(surroundings);
    }

    /** Asks. */
    abstract JsonNode ask(AdminClient client) throws UsageError, Failure;

    /** Tells people. */
    abstract void tell(Output out, JsonNode answer);

    @Override
    public final Integer call() throws IOException, UsageError, Failure {
        JsonNode answer = ask(options.client(surroundings.environment()));
        if (options.json()) {
            JsonDocument.write(surroundings.out(), body -> {
                for (Map.Entry<String, JsonNode> each : answer.properties()) {
                    body.writeFieldName(each.getKey());
                    body.writeRawValue(each.getValue().toString());
                }
            });
        } else {
            tell(surroundings.out(), answer);
        }
        return ExitCode.OK;
    }
}
