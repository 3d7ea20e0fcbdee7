package dev.penstock.demo;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * One request, or several at once. Values of attributes need no escaping in JSON.
 *
 * @param attributes the attributes of each request
 * @param permits the number of permits that are reserved at the same time; 0 to check once
 */
record Question(Map<String, String> attributes, int permits) {
    private static final int HOLD_MILLIS = 10_000;

    Question(Map<String, String> attributes) {
        this(attributes, 0);
    }

    /** Returns the body of {@code POST /v1/check} or {@code POST /v1/permits}. */
    String json() {
        String end = permits == 0 ? "}}" : "},\"hold_ms\":" + HOLD_MILLIS + "}";
        return attributes.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                .collect(Collectors.joining(",", "{\"attributes\":{", end));
    }
}
