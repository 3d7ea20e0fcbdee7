package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** A command that makes one call to a running service and prints the answer as text or JSON. */
abstract class AdminCall extends ServiceCommand {
    AdminCall(Surroundings surroundings) {
        super(surroundings);
    }

    /** Returns the query for this limit; empty to use the service's default. */
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

    /** Makes the call. */
    abstract JsonNode ask(AdminClient client) throws UsageError, Failure;

    /** Prints the answer as text. */
    abstract void print(Output out, JsonNode answer);

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
            print(surroundings.out(), answer);
        }
        return ExitCode.OK;
    }
}
