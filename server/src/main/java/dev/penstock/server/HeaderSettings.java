package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.fields.FieldChoices;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The response headers that report limits to callers.
 *
 * @param rateLimit send {@code RateLimit} and {@code RateLimit-Policy}
 * @param xRateLimit send {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}
 * @param reset the form of the time in {@code X-RateLimit-Reset}
 * @param retryAfter send {@code Retry-After} on denials
 * @param retryAfterJitter the maximum random time added to {@code Retry-After}, so that clients do not all return at
 *     once; whole seconds, zero for none
 */
public record HeaderSettings(
        boolean rateLimit, boolean xRateLimit, Reset reset, boolean retryAfter, Duration retryAfterJitter) {
    /** A point in time or the time until then, both in seconds. */
    public enum Reset {
        /** Seconds since 1970, as GitHub sends it. */
        EPOCH,
        /** Seconds from now, as Envoy sends it. */
        DELTA
    }

    public static final Duration LONGEST_JITTER = Duration.ofHours(1);

    public static final HeaderSettings DEFAULT = new HeaderSettings(true, true, Reset.EPOCH, true, Duration.ZERO);

    public HeaderSettings {
        Expect.present(reset, "headers.reset");
        Expect.that(
                !retryAfterJitter.isNegative() && retryAfterJitter.compareTo(LONGEST_JITTER) <= 0,
                "headers.retry_after_jitter",
                retryAfterJitter,
                "0 to 1h");
        Expect.that(
                retryAfterJitter.toNanosPart() == 0, "headers.retry_after_jitter", retryAfterJitter, "whole seconds");
    }

    /** Returns the writer of these header fields. */
    DecisionFields fields() {
        Set<FieldChoices.Family> families = EnumSet.of(FieldChoices.Family.CACHE_CONTROL);
        if (rateLimit) {
            families.add(FieldChoices.Family.RATE_LIMIT);
        }
        if (xRateLimit) {
            families.add(FieldChoices.Family.X_RATE_LIMIT);
        }
        if (retryAfter) {
            families.add(FieldChoices.Family.RETRY_AFTER);
        }
        FieldChoices.ResetForm form =
                reset == Reset.DELTA ? FieldChoices.ResetForm.DELTA : FieldChoices.ResetForm.EPOCH;
        return new DecisionFields(new FieldChoices(families, form, (int) retryAfterJitter.toSeconds()));
    }
}
