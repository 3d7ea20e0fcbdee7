package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how often metrics are sent by OTLP over HTTP.
 *
 * @param url the full URL for metrics, as in {@code http://localhost:4318/v1/metrics}
 */
public record OtlpSettings(URI url, Duration interval) {
    public static final Duration USUAL_INTERVAL = Duration.ofMinutes(1);
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofHours(1);
    public static final String URL_EXPECTED =
            "an address such as http://localhost:4318/v1/metrics, without a user or a query";

    public OtlpSettings {
        Expect.that(isUrl(url), "metrics.otlp.url", "the given value", URL_EXPECTED);
        Expect.that(
                interval.compareTo(SHORTEST) >= 0 && interval.compareTo(LONGEST) <= 0,
                "metrics.otlp.interval",
                interval,
                "1s to 1h");
    }

    /**
     * Returns true if metrics can be sent to the URL. URLs with a user, a query or a fragment are refused, because they
     * may contain secrets.
     */
    public static boolean isUrl(URI url) {
        boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        @Nullable String host = url.getHost();
        return isHttp
                && host != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }
}
