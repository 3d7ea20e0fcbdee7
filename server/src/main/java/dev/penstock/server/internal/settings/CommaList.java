package dev.penstock.server.internal.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts of flags and variables, in which commas divide a list. */
final class CommaList {
    private static final Path HERE = Path.of("");

    private CommaList() {}

    /** What they say; null, and noted, where one is empty: a variable that was meant to hold a secret, perhaps. */
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
