package dev.penstock.observe;

import dev.penstock.Request;
import dev.penstock.internal.Expect;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts denied requests, each once, by route, plan and region, and optionally by tenant. */
final class DenialMeters {
    private static final String TENANT = "tenant";

    private final Series series;
    private final PolicyLabels words;
    private final String region;
    private final int mostTenants;
    private final Set<String> tenants = ConcurrentHashMap.newKeySet();
    private final Map<Labels, LongAdder> counters = new ConcurrentHashMap<>();

    /** The labels of a denial. Without tenant labels, all tenants are equal. */
    private record Labels(String route, String plan, String tenant) {
        static final Labels OTHERS = new Labels(Series.OTHERS, Series.OTHERS, Series.OTHERS);
    }

    /**
     * Creates the counters.
     *
     * @param mostTenants the number of tenants that get a label, in order of their first denial; 0 for no tenant labels
     */
    DenialMeters(Series series, PolicyLabels words, @Nullable String region, int mostTenants) {
        this.series = series;
        this.words = words;
        this.region = region == null ? Series.NONE : region;
        this.mostTenants = mostTenants;
    }

    void add(String route, Request request) {
        String plan = words.plan(request);
        add(new Labels(route, plan == null ? Series.NONE : plan, tenant(request.attribute(TENANT))));
    }

    /** Counts a request of which nothing else is known. */
    void add() {
        add(new Labels(Series.NONE, Series.NONE, Series.NONE));
    }

    private void add(Labels labels) {
        LongAdder known = counters.get(labels);
        (known == null ? added(labels) : known).increment();
    }

    private String tenant(@Nullable String name) {
        if (name == null || mostTenants == 0) {
            return Series.NONE;
        }
        if (tenants.contains(name)) {
            return name;
        }
        synchronized (tenants) {
            boolean isKnown = tenants.contains(name) || (tenants.size() < mostTenants && tenants.add(name));
            return isKnown ? name : Series.OTHERS;
        }
    }

    private synchronized LongAdder added(Labels labels) {
        boolean isOwn = labels.equals(Labels.OTHERS) || counters.containsKey(labels) || series.isTaken();
        return Expect.present(counters.computeIfAbsent(isOwn ? labels : Labels.OTHERS, this::registered), "counter");
    }

    private LongAdder registered(Labels labels) {
        LongAdder counter = new LongAdder();
        Tags tags = Tags.of("route", labels.route, "plan", labels.plan, "region", region);
        series.counter(
                "http.429",
                "Denied requests, each counted once. Includes denials that are answered with 403 or 503. Has tenant labels only if metrics.tenants is set.",
                mostTenants == 0 ? tags : tags.and(TENANT, labels.tenant),
                counter);
        return counter;
    }
}
