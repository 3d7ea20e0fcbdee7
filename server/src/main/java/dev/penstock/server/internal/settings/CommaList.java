package dev.penstock.server.internal.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits the texts of flags and variables at commas. */
final class CommaList {
    private static final Path HERE = Path.of("");

    private CommaList() {}

    /**
     * Returns the value, or null if an item is empty, which is recorded as an error. An empty variable may have been
     * meant to hold a secret.
     */
    static @Nullable SourcedValue written(Setting<?> setting, String place, List<String> texts, Problems problems) {
        List<SettingText> pieces = new ArrayList<>();
        boolean divided = setting.form().shape() != SettingFormat.Shape.ONE;
        for (String text : texts) {
            for (String part : divided ? text.split(",", -1) : new String[] {text}) {
                String stripped = part.strip();
                if (stripped.isEmpty()) {
                    problems.add(place, "empty (expected: " + setting.form().expected() + ")");
                    return null;
                }
                pieces.add(new SettingText(stripped, HERE, problems.about(place, stripped)));
            }
        }
        return new SourcedValue(place, place, pieces);
    }
}
