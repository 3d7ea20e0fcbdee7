package dev.penstock.server.internal.fields;

import dev.penstock.internal.Expect;
import java.util.EnumSet;
import java.util.Set;

/**
 * The header fields that are sent to clients. Immutable.
 *
 * @param families the families to send
 * @param reset the form of the time in {@code X-RateLimit-Reset}
 * @param retryJitterSeconds the maximum random time added to {@code Retry-After}, so that clients do not all return at
 *     once
 */
public record FieldChoices(Set<Family> families, ResetForm reset, int retryJitterSeconds) {
    /** Fields that are sent together or not at all. */
    public enum Family {
        /** {@code RateLimit-Policy} and {@code RateLimit}. */
        RATE_LIMIT,
        /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}. */
        X_RATE_LIMIT,
        /** {@code Retry-After}, with denials that end at some time. */
        RETRY_AFTER,
        /** {@code Cache-Control: no-store}, with denials. */
        CACHE_CONTROL
    }

    /** The form of a time. */
    public enum ResetForm {
        /** Seconds since 1970, by the clock of the decision. */
        EPOCH,
        /** Seconds from the decision on. */
        DELTA
    }

    /** The maximum jitter. */
    public static final int MOST_JITTER_SECONDS = 86_400;

    /** All families, the reset in seconds since 1970, no jitter. */
    public static final FieldChoices USUAL = new FieldChoices(EnumSet.allOf(Family.class), ResetForm.EPOCH, 0);

    public FieldChoices {
        families = Set.copyOf(Expect.present(families, "families"));
        Expect.present(reset, "reset");
        Expect.between(retryJitterSeconds, 0, MOST_JITTER_SECONDS, "retryJitterSeconds");
    }

    /** Returns these choices with only the given families. */
    public FieldChoices families(Set<Family> others) {
        return new FieldChoices(others, reset, retryJitterSeconds);
    }

    public FieldChoices reset(ResetForm form) {
        return new FieldChoices(families, form, retryJitterSeconds);
    }

    public FieldChoices retryJitterSeconds(int atMost) {
        return new FieldChoices(families, reset, atMost);
    }

    boolean has(Family family) {
        return families.contains(family);
    }
}
