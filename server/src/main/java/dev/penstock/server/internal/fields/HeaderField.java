package dev.penstock.server.internal.fields;

/** A header field of an answer, its name as people write it: {@code Retry-After: 12}. */
public record HeaderField(String name, String value) {
    @Override
    public String toString() {
        return name + ": " + value;
    }
}
