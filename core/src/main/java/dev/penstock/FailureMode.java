package dev.penstock;

/** How a limit is decided while the store does not answer. Engines without a store never need it. */
public enum FailureMode {
    /** The charge is dropped: the request passes as far as this limit goes. */
    OPEN,
    /** The request is denied. */
    CLOSED,
    /** A share of the limit is enforced in this process. */
    LOCAL
}
