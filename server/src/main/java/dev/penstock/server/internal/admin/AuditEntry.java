package dev.penstock.server.internal.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * A line of the audit log: either a change that is about to be made, or the result of one.
 *
 * @param id the id of the change, which both of its lines have
 * @param at the time at which the line was written
 * @param who the name of the caller's token, or {@code loopback}
 * @param from the address of the caller
 * @param what the kind of change: {@code keys.reset}
 * @param about the details of the change as JSON; null if the kind says everything
 * @param result the result; null in the first line
 */
record AuditEntry(
        String id,
        String at,
        String who,
        String from,
        String what,
        @Nullable String about,
        @Nullable String result) {
    private static final JsonFactory JSON = new JsonFactory();

    AuditEntry withResult(String other) {
        return new AuditEntry(id, at, who, from, what, about, other);
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", id);
        json.writeStringField("at", at);
        json.writeStringField("who", who);
        json.writeStringField("from", from);
        json.writeStringField("what", what);
        if (about != null) {
            json.writeFieldName("about");
            json.writeRawValue(about);
        }
        if (result != null) {
            json.writeStringField("result", result);
        }
        json.writeEndObject();
    }

    /** Reads a line. Returns null if it is not a complete entry, such as a line that was cut off. */
    static @Nullable AuditEntry read(String line) {
        String id = null;
        String at = null;
        String who = "";
        String from = "";
        String what = "";
        String about = null;
        String result = null;
        try (JsonParser json = JSON.createParser(line)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String word = json.currentName();
                json.nextToken();
                switch (word) {
                    case "id" -> id = json.getText();
                    case "at" -> at = json.getText();
                    case "who" -> who = json.getText();
                    case "from" -> from = json.getText();
                    case "what" -> what = json.getText();
                    case "about" -> about = copy(json);
                    case "result" -> result = json.getText();
                    default -> json.skipChildren(); // written by a later version
                }
            }
        } catch (IOException e) {
            return null;
        }
        return id == null || at == null ? null : new AuditEntry(id, at, who, from, what, about, result);
    }

    private static String copy(JsonParser from) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.copyCurrentStructure(from);
        }
        return text.toString();
    }
}
