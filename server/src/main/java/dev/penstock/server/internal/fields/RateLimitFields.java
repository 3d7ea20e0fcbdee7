package dev.penstock.server.internal.fields;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.internal.RetryAfterSeconds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code RateLimit-Policy} and {@code RateLimit}, as draft-ietf-httpapi-ratelimit-headers-11 has them: Structured Fields (RFC
 * 9651) of items with a quoted name. Whatever a later draft changes in their form is changed here.
 *
 * <p>{@code q} is the capacity and {@code w} the {@linkplain QuotaWindow time} in which it is given out, so {@code q / w} is the
 * rate. {@code w} is left out where there is none or it is shorter than a second. {@code t} is the time within which no more
 * than {@code r} should be used: of a limit that denies, how long until the request fits, which is never after {@code
 * Retry-After}; else the time until all that was spent has come back, but never so short that {@code r / t} is above {@code
 * q / w}. Slots have no {@code t} while they are to be had.
 */
final class RateLimitFields {
    static final String POLICY = "RateLimit-Policy";
    static final String LIMIT = "RateLimit";

    /** The largest Integer of Structured Fields. */
    static final long LARGEST = 999_999_999_999_999L;

    private static final String SLOTS = "concurrent-requests";
    private static final long NONE = -1;

    private RateLimitFields() {}

    /** Every limit that was asked for, in its order, whatever was looked at: the same from answer to answer. */
    static String policies(ShownLimits shown) {
        StringBuilder list = new StringBuilder(64);
        for (int i = 0; i < shown.size(); i++) {
            Limit limit = shown.charge(i).limit();
            QuotaWindow window = QuotaWindow.of(limit.algorithm());
            item(list, shown.name(i));
            integer(list, ";q=", limit.capacity());
            if (window != null && window.seconds() > 0) {
                integer(list, ";w=", window.seconds());
            }
            if (!limit.unit().equals(Costs.REQUESTS)) {
                list.append(";qu=");
                string(list, limit.unit().equals(Costs.SLOTS) ? SLOTS : PrintableText.of(limit.unit(), ""));
            }
        }
        return list.toString();
    }

    /** Every limit that was looked at, the one that matters most first. */
    static String limits(ShownLimits shown) {
        StringBuilder list = new StringBuilder(48);
        for (ShownLimits.Shown each : shown.seen()) {
            LimitStatus status = each.status();
            item(list, each.name());
            integer(list, ";r=", status.remaining());
            long seconds = effectiveSeconds(status);
            if (seconds != NONE) {
                integer(list, ";t=", seconds);
            }
        }
        return list.toString();
    }

    private static long effectiveSeconds(LimitStatus status) {
        Duration wait = wait(status.retry());
        if (wait != null) {
            return RetryAfterSeconds.ofRetry(wait);
        }
        QuotaWindow window = QuotaWindow.of(status.limit().algorithm());
        if (window == null) {
            return NONE;
        }
        long back = RetryAfterSeconds.roundedUp(status.resetAfter());
        if (status.limit().algorithm() instanceof SlidingWindow) {
            back = Math.min(back, Math.max(1, window.seconds())); // all is back only after two, but most of it sooner
        }
        return Math.max(back, window.secondsFor(status.remaining(), status.capacity()));
    }

    private static @Nullable Duration wait(@Nullable Retry retry) {
        return retry == null ? null : retry.waitFor();
    }

    private static void item(StringBuilder list, String name) {
        string(list.isEmpty() ? list : list.append(", "), name);
    }

    private static void integer(StringBuilder list, String parameter, long value) {
        list.append(parameter).append(Math.min(value, LARGEST));
    }

    private static void string(StringBuilder list, String printable) {
        list.append('"');
        for (int i = 0; i < printable.length(); i++) {
            char c = printable.charAt(i);
            if (c == '"' || c == '\\') {
                list.append('\\');
            }
            list.append(c);
        }
        list.append('"');
    }
}
