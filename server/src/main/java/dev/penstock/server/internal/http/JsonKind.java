package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

/** Names the kind of value that a JSON token begins, for error messages. */
public final class JsonKind {
    private JsonKind() {}

    public static String of(@Nullable JsonToken token) {
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "a text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }
}
