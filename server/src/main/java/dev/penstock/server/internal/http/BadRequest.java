package dev.penstock.server.internal.http;

import org.jspecify.annotations.Nullable;

/** Thrown when a caller sent something invalid. Nothing was charged. */
public final class BadRequest extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String field;

    /**
     * @param field the path of the invalid part: {@code costs.tokens}; null for the body as a whole
     * @param problem the value found and what was expected
     */
    public BadRequest(@Nullable String field, String problem) {
        super(field == null ? problem : field + ": " + problem, null, false, false);
        this.field = field;
    }

    @Nullable
    String field() {
        return field;
    }
}
