package dev.penstock.server;

import dev.penstock.internal.Expect;
import dev.penstock.observe.LogChoices;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the recording of decisions: metrics, the decision log, traces and hot keys.
 *
 * @param region the name of this node's region, added to its metrics and log; null to omit it
 * @param log the file of the decision log, or null for none
 * @param loggedDenials how many of a million denials are logged
 * @param loggedOthers how many of a million other decisions are logged
 * @param hotPerSecond the rate of decisions per second, averaged over a minute, from which a key is hot
 * @param metrics the metrics of decisions
 * @param traces the OTLP/HTTP collector for traces, or null for none
 * @param watched if false, decisions are not recorded in any way, whatever the other settings are
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

    /** If there is a log file, logs all denials and one in a hundred of the other decisions. */
    public static final ObserveSettings DEFAULT = new ObserveSettings(
            null, null, LogChoices.WHOLE, LogChoices.WHOLE / 100, 1_000, MetricSettings.DEFAULT, null, true);

    /** Records nothing. Used to measure the cost of recording. */
    public static final ObserveSettings NOTHING =
            new ObserveSettings(null, null, 0, 0, 1_000, MetricSettings.DEFAULT, null, false);

    public ObserveSettings {
        Expect.that(region == null || isRegion(region), "region", region, REGION_EXPECTED);
        Expect.between(loggedDenials, 0, LogChoices.WHOLE, "decision_log.denied");
        Expect.between(loggedOthers, 0, LogChoices.WHOLE, "decision_log.allowed");
        Expect.between(hotPerSecond, 1, MOST_PER_SECOND, "hot_keys.per_second");
        Expect.that(traces == null || isCollector(traces), "traces.otlp", traces, COLLECTOR_EXPECTED);
    }

    /** Returns true if the text is a valid region name. */
    public static boolean isRegion(String text) {
        return REGION.matcher(text).matches();
    }

    /** Returns these settings with a decision log. */
    public ObserveSettings withLog(Path file, int denials, int others) {
        return new ObserveSettings(region, file, denials, others, hotPerSecond, metrics, traces, watched);
    }

    /** Returns these settings with traces sent to the collector. */
    public ObserveSettings withTraces(URI collector) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, hotPerSecond, metrics, collector, watched);
    }

    /** Returns true if traces can be sent to the address. */
    public static boolean isCollector(URI address) {
        return address.getHost() != null
                && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                && address.getUserInfo() == null
                && address.getQuery() == null
                && address.getFragment() == null;
    }

    /** Returns these settings with another threshold for hot keys. */
    public ObserveSettings withHotPerSecond(int other) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, other, metrics, traces, watched);
    }

    /** Returns these settings with other metrics. */
    public ObserveSettings withMetrics(MetricSettings other) {
        return new ObserveSettings(region, log, loggedDenials, loggedOthers, hotPerSecond, other, traces, watched);
    }
}
