package dev.penstock.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyFailure;
import java.io.IOException;
import java.util.List;

/** Writes errors in policy files as JSON, for the admin API and the commands. */
public final class PolicyErrorJson {
    private PolicyErrorJson() {}

    /** Writes a value: an object with the time at which the files were refused and their errors. */
    public static void write(JsonGenerator json, PolicyFailure failure) throws IOException {
        json.writeStartObject();
        json.writeStringField("at", failure.at().toString());
        write(json, "errors", failure.errors());
        json.writeEndObject();
    }

    /** Writes a field with the list of errors into the open object. */
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
