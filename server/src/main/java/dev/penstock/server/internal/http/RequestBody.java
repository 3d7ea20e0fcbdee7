package dev.penstock.server.internal.http;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Request;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.AddressText;
import dev.penstock.spi.Ask;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request in JSON: {@code {"attributes": {...}, "costs": {...}}}.
 *
 * @param peek true if nothing is to be charged
 * @param hold how long the permit is held; null if the caller does not say
 */
public record RequestBody(
        Request request, boolean peek, @Nullable Hold hold) {
    private static final int MOST_ATTRIBUTES = 64;
    private static final int MOST_UNITS = 16;
    private static final int LONGEST_NAME = 128;
    private static final long LONGEST_MILLIS = Ask.LONGEST_WAIT.toMillis();
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration LONGEST_HOLD = Duration.ofDays(1);

    /** The words that a call accepts. */
    public enum Kind {
        /** Only the request itself. */
        ASKED("attributes, costs"),
        CHECK("attributes, costs, peek, max_delay_ms, timeout_ms"),
        PERMIT("attributes, costs, hold_ms, max_delay_ms, timeout_ms");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /** Reads a request. {@code at} is its path in the body, or null if it is the body itself. */
    public static RequestBody read(JsonReader json, @Nullable String at, Kind kind) throws BadRequest, IOException {
        Draft draft = new Draft();
        json.object(at, (word, path) -> {
            switch (word) {
                case "attributes" -> draft.attributes(json, path);
                case "costs" -> draft.request = draft.request.costs(costs(json, path));
                default -> {
                    if (word.equals("max_delay_ms") && kind != Kind.ASKED) {
                        draft.request = draft.request.maxDelay(Duration.ofMillis(json.number(path, LONGEST_MILLIS)));
                    } else if (word.equals("timeout_ms") && kind != Kind.ASKED) {
                        draft.request = draft.request.timeout(aboveZero(json, path, LONGEST_TIMEOUT));
                    } else if (word.equals("peek") && kind == Kind.CHECK) {
                        draft.peek = json.flag(path);
                    } else if (word.equals("hold_ms") && kind == Kind.PERMIT) {
                        draft.hold = Hold.of(aboveZero(json, path, LONGEST_HOLD));
                    } else {
                        throw json.unknown(path, kind.words);
                    }
                }
            }
        });
        if (!draft.hasAttributes) {
            throw new BadRequest(at == null ? "attributes" : at + ".attributes", "nothing (expected: an object)");
        }
        return new RequestBody(draft.request, draft.peek, draft.hold);
    }

    /** Reads a time in milliseconds, at least 1. */
    public static Duration aboveZero(JsonReader json, String path, Duration most) throws BadRequest, IOException {
        long millis = json.number(path, most.toMillis());
        if (millis == 0) {
            throw new BadRequest(path, "0 (expected: above 0)");
        }
        return Duration.ofMillis(millis);
    }

    /** Reads the attributes of a request. */
    public static Request attributes(JsonReader json, String at) throws BadRequest, IOException {
        Draft draft = new Draft();
        draft.attributes(json, at);
        return draft.request;
    }

    /** Reads the cost in each unit. */
    static Costs costs(JsonReader json, String at) throws BadRequest, IOException {
        Costs[] costs = {Costs.NONE};
        int[] count = {0};
        json.object(at, (unit, path) -> {
            checkName(unit, path);
            if (++count[0] > MOST_UNITS) {
                throw new BadRequest(at, "more than " + MOST_UNITS + " units");
            }
            long most = unit.equals(Costs.SLOTS) ? Concurrency.MOST_PER_REQUEST : Costs.MAX;
            costs[0] = costs[0].and(unit, json.number(path, most));
        });
        return costs[0];
    }

    private static void checkName(String name, String path) throws BadRequest {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new BadRequest(
                    path, "a name of " + name.length() + " characters (expected: 1 to " + LONGEST_NAME + ")");
        }
    }

    private static final class Draft {
        private Request request = Request.empty();
        private boolean hasAttributes;
        private boolean peek;
        private @Nullable Hold hold;

        void attributes(JsonReader json, String at) throws BadRequest, IOException {
            hasAttributes = true;
            int[] count = {0};
            json.object(at, (name, path) -> {
                checkName(name, path);
                if (++count[0] > MOST_ATTRIBUTES) {
                    throw new BadRequest(at, "more than " + MOST_ATTRIBUTES + " attributes");
                }
                String value = json.text(path);
                if (name.equals(AttributeNames.IP) && AddressText.address(value) == null) {
                    throw new BadRequest(path, "not an IP address (expected: one such as 203.0.113.7 or 2001:db8::7)");
                }
                request = request.with(name, value);
            });
        }
    }
}
