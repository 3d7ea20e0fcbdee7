package dev.penstock.server.internal.http;

import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

/** What kind of value a token of JSON begins, in the words of our errors. */
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
