package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.DurationText;
import dev.penstock.policy.text.Nearest;
import dev.penstock.policy.text.Unexpected;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads common kinds of single values. They are null if an error was reported or the value is missing. */
final class Texts {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final String NAME_EXPECTED = "a name of 1 to 64 letters, digits, _, - and .";

    /** The longest text of the language. The forms below therefore never parse longer ones. */
    private static final int LONGEST = 1_024;

    private static final int MOST_LISTED = 10;

    /** Parses a text, or throws what was expected. */
    interface TextParser<T> {
        T parse(String text) throws Unexpected;
    }

    private Texts() {}

    static <T> @Nullable T read(@Nullable Field field, String expected, TextParser<T> form) {
        String text = field == null ? null : field.text(expected);
        if (field == null || text == null) {
            return null;
        }
        if (!field.isHeard()) {
            return null; // too many errors: the value does not matter, and further errors are not shown
        }
        if (text.length() > LONGEST) {
            field.report("a text of " + text.length() + " characters (expected: at most " + LONGEST + ")");
            return null;
        }
        try {
            return form.parse(text);
        } catch (Unexpected e) {
            if (e.isSecret()) {
                field.refuseUnseen(e.expected());
            } else {
                field.refuse(e.expected());
            }
            return null;
        }
    }

    static @Nullable String name(@Nullable Field field) {
        return read(field, NAME_EXPECTED, text -> checkedName(text));
    }

    static String checkedName(String text) throws Unexpected {
        if (!NAME.matcher(text).matches()) {
            throw new Unexpected(NAME_EXPECTED);
        }
        return text;
    }

    static @Nullable Long count(@Nullable Field field) {
        return read(field, "a whole number", CountText::parse);
    }

    static @Nullable Long positive(@Nullable Field field) {
        return read(field, "a number above 0", CountText::parsePositive);
    }

    static @Nullable Duration time(@Nullable Field field) {
        return read(field, "a time such as 30s or 10m", DurationText::parse);
    }

    static boolean flag(@Nullable Field field, boolean otherwise) {
        Boolean flag = read(field, "true or false", text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Unexpected("true or false");
        });
        return flag == null ? otherwise : flag;
    }

    /** Reads one of an enum's words in lower case, or returns the given default. */
    static <E extends Enum<E>> E word(@Nullable Field field, Class<E> type, E otherwise) {
        E value = field == null ? null : wordOrNull(field, type);
        return value == null ? otherwise : value;
    }

    /** Reads one of an enum's words in lower case; null if the field has another value. */
    static <E extends Enum<E>> @Nullable E wordOrNull(Field field, Class<E> type) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        return read(field, oneOf(words), text -> {
            int at = words.indexOf(text);
            if (at < 0) {
                throw new Unexpected(oneOf(words) + didYouMean(text, words));
            }
            return type.getEnumConstants()[at];
        });
    }

    static String oneOf(List<String> words) {
        int last = words.size() - 1;
        return last == 0 ? words.get(0) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    /** Lists the names, or the first ones if there are many. */
    static String listed(Collection<String> names) {
        String some = names.stream().sorted().limit(MOST_LISTED).collect(Collectors.joining(", "));
        return names.size() > MOST_LISTED ? some + " and " + (names.size() - MOST_LISTED) + " more" : some;
    }

    static String didYouMean(String text, Collection<String> words) {
        String nearest = Nearest.of(text, words);
        return nearest == null ? "" : "; did you mean " + nearest + "?";
    }
}
