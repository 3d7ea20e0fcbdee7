package dev.penstock.server;

import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingFormat;
import dev.penstock.server.internal.settings.SettingTable;
import java.util.List;

/**
 * Describes one setting of the service, for help texts and command-line options.
 *
 * @param name the name in a settings file, with dots: {@code admin.port}
 * @param flag the command-line flag: {@code --admin-port}
 * @param label the placeholder for its value in a help text: {@code PORT}
 * @param isList true if it takes several values
 * @param isSecret true if it can be given only by an environment variable
 * @param shownDefault the default for display, or {@code none}
 * @param meaning one line of text, with code in backquotes
 */
public record SettingDescription(
        String name, String flag, String label, boolean isList, boolean isSecret, String shownDefault, String meaning) {
    /** Describes every setting, in the order of the documentation. */
    public static List<SettingDescription> all() {
        return SettingTable.settings().stream().map(SettingDescription::of).toList();
    }

    private static SettingDescription of(Setting<?> setting) {
        return new SettingDescription(
                setting.name(),
                setting.flag(),
                setting.form().label(),
                setting.form().shape() != SettingFormat.Shape.ONE,
                setting.isSecret(),
                setting.shownDefault(),
                setting.meaning());
    }
}
