package dev.penstock.demo;

import java.util.Map;
import java.util.stream.Collectors;

/** The attributes of a request that somebody is about to serve. Their values need no escaping in JSON. */
record Question(Map<String, String> attributes) {
    /** The body of {@code POST /v1/check}. */
    String json() {
        return attributes.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                .collect(Collectors.joining(",", "{\"attributes\":{", "}}"));
    }
}
