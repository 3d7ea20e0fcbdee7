package dev.penstock.server.internal.http;

import org.jspecify.annotations.Nullable;

/** Something that a caller sent wrong; nothing was charged. */
public final class BadRequest extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String field;

    /**
     * @param field the way to what is wrong: {@code costs.tokens}; null for the body as a whole
     * @param problem what was found, and what was expected
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
