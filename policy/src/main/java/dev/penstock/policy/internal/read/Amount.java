package dev.penstock.policy.internal.read;

import dev.penstock.policy.text.RateText;
import org.jspecify.annotations.Nullable;

/** An amount, as a limit or a plan specifies it. */
sealed interface Amount {
    /** Describes a valid value of a plan in an error message. */
    String EXPECTED = "a rate such as 100/min, a number, unlimited, or { rate: 100/min, burst: 20 }";

    /** A rate, with a burst if one is given. */
    record OfRate(RateText rate, @Nullable Long burst) implements Amount {}

    record OfCount(long count) implements Amount {}

    /** The limit does not apply. */
    record Unlimited() implements Amount {}
}
