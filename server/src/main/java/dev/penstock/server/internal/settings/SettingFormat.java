package dev.penstock.server.internal.settings;

import dev.penstock.policy.internal.text.Unexpected;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the value of a setting is written.
 *
 * @param label what stands for it in a help text: {@code PORT}
 * @param expected of a file, where it is not even of the right shape
 */
public record SettingFormat<T>(
        Shape shape, String label, String expected, Reading<T> reading, Function<T, String> show) {
    /** What a value is made of; the last two are divided by commas outside of files. */
    public enum Shape {
        ONE,
        LIST,
        /** Pairs: {@code name=value}, in files {@code name: value}. */
        MAP
    }

    /** Makes the value of all pieces; null where one of them was refused. */
    interface Reading<T> {
        @Nullable
        T read(List<SettingText> pieces);
    }

    /** Reads a text, or tells what was expected. */
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

    /** @param parser of a pair, as {@code name=value} */
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
                        if (map.put(all.get(i).getKey(), all.get(i).getValue()) != null) {
                            pieces.get(i).complaint().refuse(new Unexpected("each once"));
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
