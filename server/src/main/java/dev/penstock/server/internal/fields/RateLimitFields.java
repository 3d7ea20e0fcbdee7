package dev.penstock.server.internal.fields;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.internal.RetryAfterSeconds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code RateLimit-Policy} and {@code RateLimit} as in draft-ietf-httpapi-ratelimit-headers-11: Structured
 * Fields (RFC 9651) of items with a quoted name. If a later draft changes their form, only this class changes.
 *
 * <p>{@code q} is the capacity and {@code w} the {@linkplain QuotaWindow time} in which it is given out, so {@code q /
 * w} is the rate. {@code w} is omitted if there is no such time or it is shorter than a second.
 *
 * <p>{@code t} is the time in which no more than {@code r} should be used. For a limit that denies, it is the time
 * until the request fits, which is never later than {@code Retry-After}. For a window, it is the time until the window
 * ends, as in {@code X-RateLimit-Reset}. Otherwise it is the time until everything spent is available again, but long
 * enough that {@code r / t} is at most {@code q / w}. Slots have no {@code t} while some are available.
 */
final class RateLimitFields {
    static final String POLICY = "RateLimit-Policy";
    static final String LIMIT = "RateLimit";

    /** The largest Integer of Structured Fields. */
    static final long LARGEST = 999_999_999_999_999L;

    private static final String SLOTS = "concurrent-requests";
    private static final long NONE = -1;

    private RateLimitFields() {}

    /**
     * Returns all limits that the request is charged to, in their order. The list is the same in every answer,
     * regardless of which limits were reported.
     */
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

    /** Returns all limits that were reported, the most pressing one first. */
    static String limits(ShownLimits shown) {
        StringBuilder list = new StringBuilder(48);
        for (ShownLimits.Shown each : shown.seen()) {
            LimitStatus status = each.status();
            item(list, each.name());
            integer(list, ";r=", status.remaining());
            long seconds = effectiveSeconds(each);
            if (seconds != NONE) {
                integer(list, ";t=", seconds);
            }
        }
        return list.toString();
    }

    private static long effectiveSeconds(ShownLimits.Shown shown) {
        LimitStatus status = shown.status();
        Duration wait = wait(status.retry());
        if (wait != null) {
            return RetryAfterSeconds.ofRetry(wait);
        }
        Algorithm algorithm = status.limit().algorithm();
        QuotaWindow window = QuotaWindow.of(algorithm);
        if (window == null) {
            return NONE;
        }
        long back = RetryAfterSeconds.roundedUp(shown.resetAfter());
        if (algorithm instanceof FixedWindow || algorithm instanceof CalendarWindow) {
            return back;
        }
        if (algorithm instanceof SlidingWindow) {
            back = Math.min(back, Math.max(1, window.seconds())); // fully free after two windows, mostly after one
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
