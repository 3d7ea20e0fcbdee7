package dev.penstock.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyFailure;
import java.io.IOException;
import java.util.List;

/** What is wrong in policy files, for programs: those of the service and of the commands. */
public final class PolicyErrorJson {
    private PolicyErrorJson() {}

    /** Writes an object: when files were refused, and why. */
    public static void write(JsonGenerator json, PolicyFailure failure) throws IOException {
        json.writeStartObject();
        json.writeStringField("at", failure.at().toString());
        write(json, "errors", failure.errors());
        json.writeEndObject();
    }

    /** Writes a field of an object. */
    public static void write(JsonGenerator json, String name, List<PolicyError> errors) throws IOException {
        json.writeArrayFieldStart(name);
        for (PolicyError error : errors) {
            json.writeStartObject();
            json.writeStringField("file", error.file());
            json.writeNumberField("line", error.line());
            json.writeNumberField("column", error.column());
            json.writeStringField("path", error.path());
            json.writeStringField("problem", error.problem());
            json.writeStringField("text", error.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
