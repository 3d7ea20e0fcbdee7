package dev.penstock.server.internal.settings;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings given as flags.
 *
 * @param given the values of each flag, by the setting's name
 */
record Flags(Map<String, List<String>> given, Problems problems) implements Source {
    @Override
    public @Nullable SourcedValue written(Setting<?> setting) {
        List<String> values = given.get(setting.name());
        return values == null || values.isEmpty() ? null : CommaList.written(setting, setting.flag(), values, problems);
    }
}
