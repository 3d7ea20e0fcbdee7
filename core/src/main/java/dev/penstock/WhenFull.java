package dev.penstock;

/** What a memory engine does with a new key when it keeps as many as it may and all of them are live. */
public enum WhenFull {
    /** The request is denied. */
    DENY,
    /** The charge is let through uncounted. */
    ALLOW,
    /** The account whose state would lapse first is forgotten. */
    EVICT_OLDEST
}
