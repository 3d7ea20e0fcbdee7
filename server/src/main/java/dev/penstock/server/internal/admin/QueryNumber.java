package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.server.internal.http.BadRequest;

/** A whole number in the query of a call, which has no other word. */
final class QueryNumber {
    private QueryNumber() {}

    /** The number of that name, from 1 on; the usual one where there is none. */
    static int of(ServiceRequestContext context, String name, int most, int usual) throws BadRequest {
        QueryParams given = context.queryParams();
        for (String word : given.names()) {
            if (!word.equals(name)) {
                throw new BadRequest(word, "unknown word (expected: " + name + ")");
            }
        }
        String text = given.get(name);
        if (text == null) {
            return usual;
        }
        boolean isNumber = text.matches("\\d{1,9}") && given.getAll(name).size() == 1;
        int number = isNumber ? Integer.parseInt(text) : 0;
        if (number < 1 || number > most) {
            throw new BadRequest(name, text + " (expected: one number from 1 to " + most + ")");
        }
        return number;
    }
}
