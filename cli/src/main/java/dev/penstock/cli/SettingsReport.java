package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.server.SettingError;
import dev.penstock.server.SettingErrors;
import dev.penstock.server.SettingsInForce;
import java.io.IOException;

/** Settings and what is wrong with them: to people as a table, to programs as JSON. */
final class SettingsReport {
    private SettingsReport() {}

    static void table(Output out, SettingsInForce read) {
        int names = longest(read, Column.NAME);
        int values = longest(read, Column.VALUE);
        out.text(Tone.ASIDE, padded("setting", names) + padded("value", values) + "from")
                .end();
        for (SettingsInForce.Entry entry : read.entries()) {
            out.text(Tone.NAME, padded(entry.name(), names))
                    .text(padded(entry.value(), values))
                    .text(entry.from())
                    .end();
        }
    }

    private enum Column {
        NAME,
        VALUE
    }

    private static int longest(SettingsInForce read, Column column) {
        return read.entries().stream()
                .mapToInt(entry -> (column == Column.NAME ? entry.name() : entry.value()).length())
                .max()
                .orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()) + 2);
    }

    static void json(Output out, SettingsInForce read) throws IOException {
        JsonDocument.write(out, body -> {
            body.writeArrayFieldStart("settings");
            for (SettingsInForce.Entry entry : read.entries()) {
                body.writeStartObject();
                body.writeStringField("name", entry.name());
                body.writeStringField("value", entry.value());
                body.writeStringField("from", entry.from());
                body.writeEndObject();
            }
            body.writeEndArray();
        });
    }

    static void errors(Output err, SettingErrors wrong) {
        for (SettingError error : wrong.errors()) {
            err.text(Tone.NAME, error.toString()).end();
            if (error.excerpt() != null) {
                err.text(Tone.ASIDE, error.excerpt()).end();
            }
        }
        err.text(Tone.BAD, Plural.of(wrong.errors().size(), "error") + " in the settings")
                .end();
    }

    static void errorsAsJson(Output out, SettingErrors wrong) throws IOException {
        JsonDocument.write(out, body -> {
            body.writeArrayFieldStart("errors");
            for (SettingError error : wrong.errors()) {
                body.writeStartObject();
                body.writeStringField("place", error.place());
                body.writeStringField("problem", error.problem());
                body.writeEndObject();
            }
            body.writeEndArray();
        });
    }
}
