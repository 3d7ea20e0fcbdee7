package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;

/** The JSON output of a command: one object. */
final class JsonDocument {
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    /** Writes the fields of the object. */
    interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private JsonDocument() {}

    static void write(Output out, Body body) throws IOException {
        JsonGenerator json = new JsonFactory().createGenerator(out.writer());
        Separators separators =
                Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);
        json.setPrettyPrinter(new DefaultPrettyPrinter(separators)
                .withObjectIndenter(INDENTER)
                .withArrayIndenter(INDENTER));
        json.writeStartObject();
        body.write(json);
        json.writeEndObject();
        json.flush();
        out.end();
    }
}
