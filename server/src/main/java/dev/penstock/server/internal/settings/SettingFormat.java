package dev.penstock.server.internal.settings;

import dev.penstock.policy.text.Unexpected;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The form in which the value of a setting is written.
 *
 * @param label the placeholder in a help text: {@code PORT}
 * @param expected what a file must contain, for errors about a value of the wrong shape
 */
public record SettingFormat<T>(
        Shape shape, String label, String expected, Reading<T> reading, Function<T, String> show) {
    /** The structure of a value. Lists and maps are separated by commas outside of files. */
    public enum Shape {
        ONE,
        LIST,
        /** Pairs: {@code name=value}, in files {@code name: value}. */
        MAP
    }

    /** Makes the value from all pieces. Returns null if one of them was refused. */
    interface Reading<T> {
        @Nullable
        T read(List<SettingText> pieces);
    }

    /** Parses a text, or throws what was expected instead. */
    interface Parser<T> {
        T parse(String text, Path base) throws Unexpected;
    }

    static <T> SettingFormat<T> one(String label, String expected, Parser<T> parser, Function<T, String> show) {
        return new SettingFormat<>(Shape.ONE, label, expected, pieces -> parsed(pieces.get(0), parser), show);
    }

    static <T> SettingFormat<List<T>> list(String label, String expected, Parser<T> parser) {
        return new SettingFormat<>(
                Shape.LIST,
                label,
                expected,
                pieces -> {
                    List<T> all = new ArrayList<>();
                    pieces.forEach(piece -> addParsed(piece, parser, all));
                    return all.size() < pieces.size() ? null : List.copyOf(all);
                },
                all -> all.isEmpty()
                        ? "none"
                        : all.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    /**
     * Each name and each value may occur once.
     *
     * @param parser parses one pair, as {@code name=value}
     */
    static SettingFormat<Map<String, String>> map(
            String label, String expected, Parser<Map.Entry<String, String>> parser) {
        SettingFormat<List<Map.Entry<String, String>>> pairs = list(label, expected, parser);
        return new SettingFormat<>(
                Shape.MAP,
                label,
                expected,
                pieces -> {
                    List<Map.Entry<String, String>> all = pairs.reading.read(pieces);
                    Map<String, String> map = new LinkedHashMap<>();
                    for (int i = 0; all != null && i < all.size(); i++) {
                        if (map.containsValue(all.get(i).getValue())) {
                            pieces.get(i).complaint().refuse(new Unexpected("each attribute once"));
                            return null;
                        }
                        if (map.put(all.get(i).getKey(), all.get(i).getValue()) != null) {
                            pieces.get(i).complaint().refuse(new Unexpected("each name once"));
                            return null;
                        }
                    }
                    return all == null ? null : map;
                },
                map -> pairs.show.apply(List.copyOf(map.entrySet())));
    }

    private static <T> void addParsed(SettingText piece, Parser<T> parser, List<T> all) {
        T value = parsed(piece, parser);
        if (value != null) {
            all.add(value);
        }
    }

    private static <T> @Nullable T parsed(SettingText piece, Parser<T> parser) {
        try {
            return parser.parse(piece.text(), piece.base());
        } catch (Unexpected e) {
            piece.complaint().refuse(e);
            return null;
        }
    }
}
