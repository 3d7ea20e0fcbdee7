package dev.penstock.server.internal.fields;

/** A header field of an answer. The name is in its usual case: {@code Retry-After: 12}. */
public record HeaderField(String name, String value) {
    @Override
    public String toString() {
        return name + ": " + value;
    }
}
