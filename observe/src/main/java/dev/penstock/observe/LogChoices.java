package dev.penstock.observe;

import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Selects the decisions to log: a share of the denials, a share of the rest, and temporarily all decisions for watched
 * attributes.
 */
public final class LogChoices {
    /** The maximum number of values that can be watched at one time. */
    public static final int MOST_WATCHED = 100;

    /** The share that means "all". */
    public static final int WHOLE = 1_000_000;

    private final int denials;
    private final int others;
    private final Supplier<Instant> now;
    private final Map<Watched, Instant> watched = new ConcurrentHashMap<>();

    /** An attribute of requests and its value. */
    public record Watched(String attribute, String value) {
        public Watched {
            Expect.text(attribute, "attribute");
            Expect.present(value, "value");
        }
    }

    /**
     * Creates the selection.
     *
     * @param denials the share of denials to log, in millionths, including shadow denials
     * @param others the share of other decisions to log, in millionths
     * @param now the clock that ends watches
     */
    public LogChoices(int denials, int others, Supplier<Instant> now) {
        this.denials = (int) Expect.between(denials, 0, WHOLE, "denials");
        this.others = (int) Expect.between(others, 0, WHOLE, "others");
        this.now = Expect.present(now, "now");
    }

    /** Logs all decisions for requests with this attribute until the given time. A time in the past ends the watch. */
    public void watch(Watched who, Instant until) {
        Instant present = now.get();
        watched.values().removeIf(end -> !end.isAfter(present));
        if (!until.isAfter(present)) {
            watched.remove(who);
        } else {
            Expect.that(
                    watched.size() < MOST_WATCHED || watched.containsKey(who),
                    "watched",
                    watched.size(),
                    "fewer than " + MOST_WATCHED + " at one time");
            watched.put(who, until);
        }
    }

    /** Returns the watched attributes and the end of each watch. */
    public Map<Watched, Instant> watched() {
        Instant present = now.get();
        watched.values().removeIf(end -> !end.isAfter(present));
        return Map.copyOf(watched);
    }

    boolean takes(Request request, Decision decision) {
        int share = !decision.isAllowed() || isShadowDenied(decision) ? denials : others;
        return share == WHOLE
                || (share > 0 && ThreadLocalRandom.current().nextInt(WHOLE) < share)
                || (!watched.isEmpty() && isWatched(request));
    }

    /** Returns true if a shadow limit would have denied. */
    private static boolean isShadowDenied(Decision decision) {
        for (int i = 0; i < decision.charges().size(); i++) {
            if (!decision.charges().get(i).isEnforced()) {
                return !decision.shadowDenials().isEmpty();
            }
        }
        return false;
    }

    private boolean isWatched(Request request) {
        for (Map.Entry<Watched, Instant> each : watched.entrySet()) {
            Watched who = each.getKey();
            if (who.value().equals(request.attribute(who.attribute()))
                    && now.get().isBefore(each.getValue())) {
                return true;
            }
        }
        return false;
    }
}
