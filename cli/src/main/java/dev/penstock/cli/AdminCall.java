package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** A command that asks a running service one thing, and tells the answer to people or to programs. */
abstract class AdminCall extends ServiceCommand {
    AdminCall(Surroundings surroundings) {
        super(surroundings);
    }

    /** What asks for so many, behind a path; nothing where the service is to choose. */
    static String limitedTo(@Nullable String limit, int most) throws UsageError {
        if (limit == null) {
            return "";
        }
        long number = RequestText.number("--limit", limit);
        if (number < 1 || number > most) {
            throw new UsageError("--limit", limit, "1 to " + most);
        }
        return "?limit=" + number;
    }

    /** Asks. */
    abstract JsonNode ask(AdminClient client) throws UsageError, Failure;

    /** Tells people. */
    abstract void tell(Output out, JsonNode answer);

    @Override
    public final Integer call() throws IOException, UsageError, Failure {
        JsonNode answer = ask(client());
        if (json()) {
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
