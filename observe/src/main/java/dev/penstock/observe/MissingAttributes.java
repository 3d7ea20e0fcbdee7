package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Charge;
import io.micrometer.core.instrument.Tags;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that lack an attribute that one of their limits counts by. Such requests share one account, so
 * one of them can deny all others. Logs a warning, once for each policy and attribute, if most requests of a minute
 * lack it.
 */
final class MissingAttributes {
    private static final System.Logger LOG = System.getLogger(MissingAttributes.class.getName());
    private static final long MINUTE_MICROS = 60_000_000;

    /** The number of requests in a minute from which on a warning makes sense. */
    private static final long FEWEST_REQUESTS = 100;

    /** The number of policies with their attributes that are counted separately. */
    private static final int MOST_PAIRS = 10_000;

    private final Series series;
    private final Clock clock;

    /** By policy, then by attribute. */
    private final Map<String, Map<String, Counts>> counts = new ConcurrentHashMap<>();

    private final Counts others;
    private int pairs;

    MissingAttributes(Series series, Clock clock) {
        this.series = series;
        this.clock = clock;
        this.others = new Counts(Series.OTHERS, Series.OTHERS);
    }

    void count(Decision decision) {
        List<Charge> charges = decision.charges();
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            List<String> attributes = charge.settings().keyAttributes();
            if (!attributes.isEmpty()) {
                List<String> missing = charge.missing();
                for (String attribute : attributes) {
                    if (!isCounted(i, charges, attribute)) {
                        of(charge.settings().policy(), attribute).add(missing.contains(attribute));
                    }
                }
            }
        }
    }

    /** Returns true if an earlier limit of the same policy counts by the attribute too. */
    private static boolean isCounted(int end, List<Charge> charges, String attribute) {
        String policy = charges.get(end).settings().policy();
        for (int i = 0; i < end; i++) {
            if (charges.get(i).settings().policy().equals(policy)
                    && charges.get(i).settings().keyAttributes().contains(attribute)) {
                return true;
            }
        }
        return false;
    }

    private Counts of(String policy, String attribute) {
        Map<String, Counts> ofPolicy = counts.get(policy);
        Counts known = ofPolicy == null ? null : ofPolicy.get(attribute);
        return known == null ? added(policy, attribute) : known;
    }

    private synchronized Counts added(String policy, String attribute) {
        Map<String, Counts> ofPolicy = counts.get(policy);
        if (ofPolicy != null && ofPolicy.containsKey(attribute)) {
            return Expect.present(ofPolicy.get(attribute), "counts");
        }
        if (pairs == MOST_PAIRS) {
            return others;
        }
        pairs++;
        Counts added = new Counts(policy, attribute);
        counts.computeIfAbsent(policy, name -> new ConcurrentHashMap<>()).put(attribute, added);
        return added;
    }

    /** Returns the counts of each policy and attribute since the process started, sorted by name. */
    List<MissingAttribute> counted() {
        List<MissingAttribute> all = new ArrayList<>();
        counts.values().forEach(ofPolicy -> ofPolicy.values().forEach(each -> all.add(each.counted())));
        all.sort(Comparator.comparing(MissingAttribute::policy).thenComparing(MissingAttribute::attribute));
        return all;
    }

    /** The requests of one policy whose limits count by one attribute. */
    private final class Counts {
        private final String policy;
        private final String attribute;
        private final LongAdder requests = new LongAdder();
        private final LongAdder missing = new LongAdder();

        /** The start of the current minute, with the counts at that time. */
        private volatile Minute minute = new Minute(clock.micros(), 0, 0);

        private volatile boolean isWarned;
        private volatile boolean isRegistered;

        private record Minute(long startMicros, long requests, long missing) {}

        Counts(String policy, String attribute) {
            this.policy = policy;
            this.attribute = attribute;
        }

        void add(boolean isMissing) {
            requests.increment();
            if (isMissing) {
                missing.increment();
                if (!isRegistered) {
                    register();
                }
                if (!isWarned) {
                    warnIfMost();
                }
            }
        }

        /** Takes a series only when the first request lacks the attribute. */
        private synchronized void register() {
            if (!isRegistered) {
                isRegistered = true;
                if (this == others || series.isTaken()) {
                    series.counter(
                            "rate.limiter.missing.attribute",
                            "Requests that lack an attribute that a limit of the policy counts by. They share one account.",
                            Tags.of("policy", policy, "attribute", attribute),
                            missing);
                }
            }
        }

        private synchronized void warnIfMost() {
            long all = requests.sum();
            long without = missing.sum();
            long now = clock.micros();
            Minute current = minute;
            if (now - current.startMicros >= MINUTE_MICROS || now < current.startMicros) {
                minute = new Minute(now, all - 1, without - 1);
                return;
            }
            long lately = all - current.requests;
            long latelyWithout = without - current.missing;
            if (lately >= FEWEST_REQUESTS && latelyWithout * 2 > lately && !isWarned) {
                isWarned = true;
                LOG.log(
                        Level.WARNING,
                        "{0} of {1} requests of the last minute lack the attribute {2} that {3} counts by."
                                + " They share one account, so one caller can deny all others."
                                + " Send the attribute, or set when_missing: skip",
                        latelyWithout,
                        lately,
                        attribute,
                        policy);
            }
        }

        MissingAttribute counted() {
            long without = missing.sum(); // first, so that it never exceeds the requests
            return new MissingAttribute(policy, attribute, requests.sum(), without);
        }
    }
}
