package dev.penstock.server;

import java.util.List;

/**
 * The settings in effect, with the source of each.
 *
 * @param entries one entry for each setting, in the order of the documentation
 */
public record SettingsInForce(ServerSettings settings, List<Entry> entries) {
    /**
     * One setting.
     *
     * @param name the name: {@code admin.port}
     * @param value the value for display; secrets are hidden
     * @param from the source: {@code --admin-port}, {@code penstock.yaml:3}, {@code PENSTOCK_ADMIN_PORT} or {@code
     *     default}
     */
    public record Entry(String name, String value, String from) {}

    public SettingsInForce {
        entries = List.copyOf(entries);
    }
}
