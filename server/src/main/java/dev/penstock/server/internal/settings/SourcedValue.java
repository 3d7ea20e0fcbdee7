package dev.penstock.server.internal.settings;

import java.util.List;

/**
 * The value of a setting in one source.
 *
 * @param from the source for display: {@code --port}, {@code penstock.yaml:3}, {@code PENSTOCK_PORT}
 * @param place the source for errors; for a file it has the column and the path of the value
 */
record SourcedValue(String from, String place, List<SettingText> pieces) {}
