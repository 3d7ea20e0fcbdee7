package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.observe.LogChoices;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is made visible of decisions.
 *
 * @param region where this node is, by a name that its metrics and its log bear; null: not told
 * @param log where decisions are written down; null: nowhere
 * @param loggedDenials how many of a million denials are written there
 * @param loggedOthers how many of a million others
 * @param hotPerSecond so many decisions a second, over a minute, make a key a hot one
 * @param metrics what the metrics tell of decisions
 * @param traces where decisions are traced to, by OTLP over HTTP; null: nowhere
 * @param watched whether decisions are watched at all; if not, nothing tells of them, whatever else is chosen
 */
public record ObserveSettings(
        @Nullable String region,
        @Nullable Path log,
        int loggedDenials,
        int loggedOthers,
        int hotPerSecond,
        MetricSettings metrics,
        @Nullable URI traces,
        boolean watched) {
    public static final int MOST_PER_SECOND = 100_000_000;
    public static final String COLLECTOR_EXPECTED = "an address such as http://localhost:4318";
    public static final String REGION_EXPECTED = "a name of 1 to 64 letters, digits, -, _ and .";

    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** All denials and one in a hundred of the rest, once there is a file for them. */
    public static final ObserveSettings DEFAULT = new ObserveSettings(
            null, null, LogChoices.WHOLE, LogChoices.WHOLE / 100, 1_000, MetricSettings.DEFAULT, null, true);

    /** Nobody looks on: for measuring what looking on costs. */
    public static final ObserveSettings NOTHING =
            new ObserveSettings(null, null, 0, 0, 1_000, MetricSettings.DEFAULT, null, false);

    public ObserveSettings {
        Expect.that(region == null || isRegion(region), "region", region, REGION_EXPECTED);
        Expect.between(loggedDenials, 0, LogChoices.WHOLE, "decision_log.denied");
        Expect.between(loggedOthers, 0, LogChoices.WHOLE, "decision_log.allowed");
        Expect.between(hotPerSecond, 1, MOST_PER_SECOND, "hot_keys.per_second");
        Expect.that(traces == null || isCollector(traces), "traces.otlp", traces, COLLECTOR_EXPECTED);
    }

    /** Whether a region may be called so. */
    public static boolean isRegion(String text) {
        return REGION.matcher(text).matches();
    }

    /** The same, with all that is decided written to a file. */
    public ObserveSettings withLog(Path file, int denials, int others) {
        return new ObserveSettings(region, file, denials, others, hotPerSecond, metrics, traces, watched);
    }

    /** The same, with decisions traced. */
    public ObserveSettings withTraces(URI collector) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, hotPerSecond, metrics, collector, watched);
    }

    /** Whether traces can be sent there. */
    public static boolean isCollector(URI address) {
        return address.getHost() != null
                && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                && address.getUserInfo() == null
                && address.getQuery() == null
                && address.getFragment() == null;
    }

    /** The same, with keys that are hot sooner or later. */
    public ObserveSettings withHotPerSecond(int other) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, other, metrics, traces, watched);
    }

    /** The same with other metrics. */
    public ObserveSettings withMetrics(MetricSettings other) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, hotPerSecond, other, traces, watched);
    }
}
