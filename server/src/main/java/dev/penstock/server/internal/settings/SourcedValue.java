package dev.penstock.server.internal.settings;

import java.util.List;

/**
 * What one source says about a setting.
 *
 * @param from the source, as people are told: {@code --port}, {@code penstock.yaml:3}, {@code PENSTOCK_PORT}
 * @param place the same, as errors begin: a file's with the column and the way to the value
 */
record SourcedValue(String from, String place, List<SettingText> pieces) {}
