package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where metrics are sent to by OTLP over HTTP, and how often.
 *
 * @param url of the metrics, as in {@code http://localhost:4318/v1/metrics}
 */
public record OtlpSettings(URI url, Duration interval) {
    public static final Duration USUAL_INTERVAL = Duration.ofMinutes(1);
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofHours(1);
    public static final String URL_EXPECTED =
            "an address such as http://localhost:4318/v1/metrics, without a user or a query";

    public OtlpSettings {
        Expect.that(isUrl(url), "metrics.otlp.url", "what is given", URL_EXPECTED);
        Expect.that(
                interval.compareTo(SHORTEST) >= 0 && interval.compareTo(LONGEST) <= 0,
                "metrics.otlp.interval",
                interval,
                "from a second to an hour");
    }

    /** Whether metrics can be sent there; secrets are not for addresses. */
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
