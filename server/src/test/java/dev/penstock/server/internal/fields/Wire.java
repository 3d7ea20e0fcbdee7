package dev.penstock.server.internal.fields;

import dev.penstock.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contents of a decision's header fields, as a client reads them. */
record Wire(Map<String, String> fields) {
    /** A member of one of the two lists. */
    record Member(String name, Map<String, Object> parameters) {
        long integer(String key) {
            return (Long) parameters.get(key);
        }
    }

    static Wire of(Decision decision) {
        return of(decision, FieldChoices.USUAL);
    }

    static Wire of(Decision decision, FieldChoices choices) {
        return of(new DecisionFields(choices).of(decision));
    }

    static Wire of(List<HeaderField> sent) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (HeaderField field : sent) {
            if (fields.put(field.name(), field.value()) != null) {
                throw new AssertionError("sent twice: " + field);
            }
        }
        return new Wire(fields);
    }

    @Nullable
    String text(String name) {
        return fields.get(name);
    }

    long number(String name) {
        return Long.parseLong(fields.get(name));
    }

    /** Returns the members of the field; empty if it is not sent. */
    List<Member> policies() {
        return members("RateLimit-Policy");
    }

    /** Returns the members of the field; empty if it is not sent. */
    List<Member> limits() {
        return members("RateLimit");
    }

    private List<Member> members(String name) {
        String value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        List<Member> members = StructuredFields.list(value).stream()
                .map(item -> new Member((String) item.value(), item.parameters()))
                .toList();
        if (members.isEmpty()) {
            throw new AssertionError(name + " is sent empty");
        }
        return members;
    }
}
