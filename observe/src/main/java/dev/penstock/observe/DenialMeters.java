package dev.penstock.observe;

import dev.penstock.Request;
import dev.penstock.internal.Expect;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts requests that were denied, each once: by route, plan and region, and by tenant where that is wanted. */
final class DenialMeters {
    private static final String TENANT = "tenant";

    private final Series series;
    private final PolicyLabels words;
    private final String region;
    private final int mostTenants;
    private final Set<String> tenants = ConcurrentHashMap.newKeySet();
    private final Map<Labels, LongAdder> counters = new ConcurrentHashMap<>();

    /** Where there is no label for tenants, they are all the same. */
    private record Labels(String route, String plan, String tenant) {
        static final Labels OTHERS = new Labels(Series.OTHERS, Series.OTHERS, Series.OTHERS);
    }

    /** @param mostTenants so many get a label, those that are denied first; 0: there is no such label */
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

    /** Of a request of which nothing more is known. */
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
                "Requests that were denied, each once: what is answered with 429 where nothing else is chosen; tenants only where that is chosen.",
                mostTenants == 0 ? tags : tags.and(TENANT, labels.tenant),
                counter);
        return counter;
    }
}
