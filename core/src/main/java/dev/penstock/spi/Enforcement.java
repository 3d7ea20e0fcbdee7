package dev.penstock.spi;

/** Whether a charge that does not fit denies the request. */
public enum Enforcement {
    /** The request is denied. */
    ENFORCED,
    /** The decision reports it and the request goes on. The charge is made only if the request is allowed and the charge fits. */
    SHADOW
}
