package dev.penstock.cli;

import dev.penstock.Request;
import dev.penstock.policy.text.CountText;
import dev.penstock.policy.text.MomentText;
import dev.penstock.policy.text.Unexpected;
import java.time.Instant;
import java.util.List;

/** Parses a request and its time from the command line. */
final class RequestText {
    /** Limits are counted exactly from 1970 up to this time. */
    private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

    private RequestText() {}

    /**
     * Parses a request.
     *
     * @param attributes each {@code NAME=VALUE}
     * @param costs each {@code UNIT=NUMBER}
     */
    static Request parse(List<String> attributes, List<String> costs) throws UsageError {
        Request request = Request.empty();
        for (String each : attributes) {
            String name = before(each, "attribute", "NAME=VALUE");
            if (request.attribute(name) != null) {
                throw new UsageError("attribute", name + " twice", "each only once");
            }
            request = request.with(name, each.substring(name.length() + 1));
        }
        for (String each : costs) {
            String unit = before(each, "--cost", "UNIT=NUMBER, such as tokens=1200");
            if (request.costs().amount(unit, -1) >= 0) {
                throw new UsageError("--cost", unit + " twice", "each only once");
            }
            request = request.cost(unit, number("--cost", each.substring(unit.length() + 1)));
        }
        return request;
    }

    private static String before(String text, String name, String expected) throws UsageError {
        int at = text.indexOf('=');
        if (at <= 0) {
            throw new UsageError(name, text, expected);
        }
        return text.substring(0, at);
    }

    static long number(String name, String text) throws UsageError {
        try {
            return CountText.parse(text);
        } catch (Unexpected e) {
            throw new UsageError(name, text, e.expected());
        }
    }

    static Instant moment(String name, String text) throws UsageError {
        try {
            Instant moment = MomentText.parse(text);
            if (!moment.isBefore(END)) {
                throw new UsageError(name, text, "a moment from " + Instant.EPOCH + " to " + END);
            }
            return moment;
        } catch (Unexpected e) {
            throw new UsageError(name, text, e.expected());
        }
    }
}
