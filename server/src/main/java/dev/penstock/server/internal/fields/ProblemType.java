package dev.penstock.server.internal.fields;

import dev.penstock.Denied;

/**
 * The problem type of a denial: one that draft-ietf-httpapi-ratelimit-headers-11 registers, or none.
 *
 * <p>A block is {@link #ABNORMAL_USAGE_DETECTED}, because a limit or an operator judged earlier requests as abuse. An
 * entry of a deny list has no type, because nothing was detected and no quota was exceeded.
 */
public enum ProblemType {
    QUOTA_EXCEEDED("quota-exceeded", "Request cannot be satisfied as assigned quota has been exceeded", 429),
    TEMPORARY_REDUCED_CAPACITY(
            "temporary-reduced-capacity",
            "Request cannot be satisfied due to temporary server capacity constraints",
            503),
    ABNORMAL_USAGE_DETECTED(
            "abnormal-usage-detected", "Request not satisfied due to detection of abnormal request pattern", 429),
    /** Denied by the policies themselves, regardless of any limit. */
    NOT_ADMITTED("", "", 403);

    static final String BLANK = "about:blank";
    private static final String REGISTRY = "https://iana.org/assignments/http-problem-types#";

    private final String uri;
    private final String title;
    private final int usualStatus;

    ProblemType(String name, String title, int usualStatus) {
        this.uri = name.isEmpty() ? BLANK : REGISTRY + name;
        this.title = title;
        this.usualStatus = usualStatus;
    }

    public static ProblemType of(Denied denied) {
        return switch (denied.reason()) {
            case LIMIT_EXCEEDED, PERMIT_EXPIRED -> QUOTA_EXCEEDED;
            case BLOCKED -> ABNORMAL_USAGE_DETECTED;
            case STORE_FULL, TOO_MANY_NEW_KEYS, STORE_FAILED, OVERLOADED -> TEMPORARY_REDUCED_CAPACITY;
            case LISTED, ID_TAKEN -> NOT_ADMITTED;
        };
    }

    /** Returns the status of such a denial if no other one is configured. */
    public int usualStatus() {
        return usualStatus;
    }

    boolean isRegistered() {
        return this != NOT_ADMITTED;
    }

    String uri() {
        return uri;
    }

    String title() {
        return title;
    }
}
