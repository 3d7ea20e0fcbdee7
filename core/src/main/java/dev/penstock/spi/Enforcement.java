package dev.penstock.spi;

/** The effect of a charge that does not fit. */
public enum Enforcement {
    /** The request is denied. */
    ENFORCED,
    /**
     * The decision reports the charge, and the request goes on. The charge is made only if the request is allowed and
     * the charge fits.
     */
    SHADOW
}
