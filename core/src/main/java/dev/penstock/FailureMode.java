package dev.penstock;

/** The way a limit is decided while the store does not answer. Engines without a store ignore it. */
public enum FailureMode {
    /** The limit is skipped. */
    OPEN,
    /** The request is denied. */
    CLOSED,
    /** Each process enforces its share of the limit. */
    LOCAL
}
