package dev.penstock.server.internal.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts of flags and variables, in which commas divide a list. */
final class Commas {
    private static final Path HERE = Path.of("");

    private Commas() {}

    /** What they say; null, and noted, where one is empty: a variable that was meant to hold a secret, perhaps. */
    static @Nullable Written written(Setting<?> setting, String place, List<String> texts, Problems problems) {
        List<Piece> pieces = new ArrayList<>();
        boolean divided = setting.form().shape() != Form.Shape.ONE;
        for (String text : texts) {
            for (String part : divided ? text.split(",", -1) : new String[] {text}) {
                String stripped = part.strip();
                if (stripped.isEmpty()) {
                    problems.add(place, "empty (expected: " + setting.form().expected() + ")");
                    return null;
                }
                pieces.add(new Piece(stripped, HERE, problems.about(place, stripped)));
            }
        }
        return new Written(place, place, pieces);
    }
}
