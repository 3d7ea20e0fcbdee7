package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.text.RateText;
import org.jspecify.annotations.Nullable;

/** How much of something may be had, as a limit or a plan says it. */
sealed interface Amount {
    /** What an error says was expected of a plan's value. */
    String EXPECTED = "a rate such as 100/min, a number, unlimited, or { rate: 100/min, burst: 20 }";

    /** A rate, and what may be had at once where that is said. */
    record OfRate(RateText rate, @Nullable Long burst) implements Amount {}

    record OfCount(long count) implements Amount {}

    /** The limit does not apply. */
    record Unlimited() implements Amount {}
}
