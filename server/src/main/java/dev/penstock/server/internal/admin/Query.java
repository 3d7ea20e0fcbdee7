package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.http.BadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The query parameters of a call, each of which may appear once. */
final class Query {
    private final QueryParams given;

    private Query(QueryParams given) {
        this.given = given;
    }

    /** Returns the query. Refuses names other than these. */
    static Query of(ServiceRequestContext context, String... words) throws BadRequest {
        QueryParams given = context.queryParams();
        for (String word : given.names()) {
            if (!List.of(words).contains(word)) {
                throw new BadRequest(word, "unknown parameter (expected: " + String.join(", ", words) + ")");
            }
            if (given.getAll(word).size() > 1) {
                throw new BadRequest(word, "given twice (expected: once)");
            }
        }
        return new Query(given);
    }

    /** Returns the number with this name, from 1 to {@code most}, or {@code usual} if it is missing. */
    int number(String name, int most, int usual) throws BadRequest {
        String text = given.get(name);
        if (text == null) {
            return usual;
        }
        int number = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > most) {
            throw new BadRequest(name, text + " (expected: one number from 1 to " + most + ")");
        }
        return number;
    }

    /** Returns the text with this name, or null if it is missing. */
    @Nullable
    String text(String name) {
        return given.get(name);
    }

    /** Returns the enum constant with the given name in lower case, or null if the parameter is missing. */
    <E extends Enum<E>> @Nullable E oneOf(String name, Class<E> kind) throws BadRequest {
        String text = given.get(name);
        if (text == null) {
            return null;
        }
        List<String> words = new ArrayList<>();
        for (E each : kind.getEnumConstants()) {
            String word = each.name().toLowerCase(Locale.ROOT);
            if (word.equals(text)) {
                return each;
            }
            words.add(word);
        }
        throw new BadRequest(name, text + " (expected: one of " + String.join(", ", words) + ")");
    }

    /** Returns the time with this name, in whole seconds since 1970, or {@code usual} if it is missing. */
    long second(String name, long usual) throws BadRequest {
        String text = given.get(name);
        if (text == null) {
            return usual;
        }
        if (!text.matches("\\d{1,12}")) {
            throw new BadRequest(name, text + " (expected: whole seconds since 1970)");
        }
        return Long.parseLong(text);
    }
}
