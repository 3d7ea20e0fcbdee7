package dev.penstock.server;

import java.util.List;

/**
 * Settings that were read, with the source of each.
 *
 * @param entries one a setting, in the order of the documents
 */
public record SettingsInForce(ServerSettings settings, List<Entry> entries) {
    /**
     * One setting.
     *
     * @param name {@code admin.port}
     * @param value as it may be seen: secrets are hidden
     * @param from {@code --admin-port}, {@code penstock.yaml:3}, {@code PENSTOCK_ADMIN_PORT} or {@code default}
     */
    public record Entry(String name, String value, String from) {}

    public SettingsInForce {
        entries = List.copyOf(entries);
    }
}
