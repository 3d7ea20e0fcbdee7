package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.http.BadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words in the query of a call, each of them once. */
final class Query {
    private final QueryParams given;

    private Query(QueryParams given) {
        this.given = given;
    }

    /** The query, in which there may be these words and no others. */
    static Query of(ServiceRequestContext context, String... words) throws BadRequest {
        QueryParams given = context.queryParams();
        for (String word : given.names()) {
            if (!List.of(words).contains(word)) {
                throw new BadRequest(word, "unknown word (expected: " + String.join(", ", words) + ")");
            }
            if (given.getAll(word).size() > 1) {
                throw new BadRequest(word, "given twice (expected: once)");
            }
        }
        return new Query(given);
    }

    /** The number of that name, from 1 on; the usual one where there is none. */
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

    /** The text of that name; null where there is none. */
    @Nullable
    String text(String name) {
        return given.get(name);
    }

    /** One of the kind, by its name in small letters; null where none is given. */
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

    /** The moment of that name, in whole seconds since 1970; the usual one where there is none. */
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
