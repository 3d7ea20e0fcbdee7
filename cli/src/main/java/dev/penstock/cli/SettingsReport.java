package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.server.SettingError;
import dev.penstock.server.SettingErrors;
import dev.penstock.server.SettingsInForce;
import java.io.IOException;

/** Prints settings and their errors, as a table or as JSON. */
final class SettingsReport {
    private SettingsReport() {}

    static void table(Output out, SettingsInForce read) {
        Table table = new Table("setting", "value", "from");
        read.entries().forEach(entry -> table.row(entry.name(), entry.value(), entry.from()));
        table.write(out);
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
