package dev.penstock.observe;

import dev.penstock.Decision;
import dev.penstock.Request;
import dev.penstock.internal.Expect;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Which decisions are written down: a share of the denials, a share of the rest, and for a time all of whoever is watched. */
public final class LogChoices {
    /** How many can be watched at one time. */
    public static final int MOST_WATCHED = 100;

    /** All of something, in parts. */
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
     * @param denials how many of a million denials are written; of those that are only observed, too
     * @param others how many of a million others
     * @param now by which watching ends
     */
    public LogChoices(int denials, int others, Supplier<Instant> now) {
        this.denials = (int) Expect.between(denials, 0, WHOLE, "denials");
        this.others = (int) Expect.between(others, 0, WHOLE, "others");
        this.now = Expect.present(now, "now");
    }

    /** Everything of whoever has that attribute is written until then; a moment that is over ends it. */
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

    /** Who is watched, and until when. */
    public Map<Watched, Instant> watched() {
        Instant present = now.get();
        watched.values().removeIf(end -> !end.isAfter(present));
        return Map.copyOf(watched);
    }

    boolean takes(Request request, Decision decision) {
        int share = !decision.isAllowed() || isObserved(decision) ? denials : others;
        return share == WHOLE
                || (share > 0 && ThreadLocalRandom.current().nextInt(WHOLE) < share)
                || (!watched.isEmpty() && isWatched(request));
    }

    /** Whether a limit that only watches would have denied. */
    private static boolean isObserved(Decision decision) {
        for (int i = 0; i < decision.charges().size(); i++) {
            if (!decision.charges().get(i).isEnforced()) {
                return !decision.observedDenials().isEmpty();
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
