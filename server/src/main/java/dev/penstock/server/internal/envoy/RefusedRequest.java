package dev.penstock.server.internal.envoy;

import org.jspecify.annotations.Nullable;

/** Thrown for a request that cannot be read. The caller is at fault, and nothing was charged. */
final class RefusedRequest extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final @Nullable String field;
    private final String problem;

    /**
     * @param field the path of the invalid part: {@code descriptors[0].limit.unit}; null for the request as a whole
     * @param problem the value found and what was expected
     */
    RefusedRequest(@Nullable String field, String problem) {
        super(field == null ? problem : field + ": " + problem, null, false, false);
        this.field = field;
        this.problem = problem;
    }

    static RefusedRequest of(@Nullable String field, Object found, String expected) {
        return new RefusedRequest(field, found + " (expected: " + expected + ")");
    }

    @Nullable
    String field() {
        return field;
    }

    /** Returns the message without the field. */
    String problem() {
        return problem;
    }
}
