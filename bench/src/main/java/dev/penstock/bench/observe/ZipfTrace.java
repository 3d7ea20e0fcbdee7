package dev.penstock.bench.observe;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.bench.load.Draw;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.TopKey;
import dev.penstock.observe.TopKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Measures the accuracy of the top keys for decisions in which the k-th user makes 1 / k as many as the first. */
final class ZipfTrace {
    private static final String POLICY = "api";
    private static final int USERS = 1_000_000;
    private static final int TOP = 10;

    private final int decisions;
    private final long[] made = new long[USERS];
    private final TopKeys topKeys = new TopKeys(Clock.system(), TopKeys.KEPT);

    private ZipfTrace(int decisions) {
        this.decisions = decisions;
    }

    static ZipfTrace of(int decisions) {
        ZipfTrace trace = new ZipfTrace(decisions);
        trace.run();
        return trace;
    }

    private void run() {
        Policy policy = Policy.named(POLICY)
                .limit(Limit.tokenBucket(LoadRate.ABUNDANT.permits(), LoadRate.ABUNDANT.period()), "user");
        Draw draw = new Draw();
        try (Limiter limiter = Limiter.builder(Policy.setOf(policy))
                .engine(MemoryEngine.create())
                .listener(topKeys)
                .build()) {
            for (int i = 0; i < decisions; i++) {
                int user = draw.zipfBelow(USERS);
                made[user]++;
                Decision unused = limiter.decide(Request.of("user", Integer.toString(user)));
            }
        }
    }

    /** Returns by how much a count may be too high, as {@link TopKeys} promises. */
    long bound() {
        return decisions / TopKeys.KEPT;
    }

    /** Returns by how much the worst count is too high. A count that is too low violates the promise in any case. */
    long worst() {
        long worst = 0;
        for (TopKey topKey : kept()) {
            long over = topKey.count() - made[user(topKey)];
            if (over < 0) {
                return Long.MAX_VALUE;
            }
            worst = Math.max(worst, over);
        }
        return worst;
    }

    /** Returns how many of the most frequent users are missing among the first keys. */
    int missing() {
        List<Integer> found = kept().stream().limit(TOP).map(ZipfTrace::user).toList();
        return (int)
                IntStream.range(0, TOP).filter(user -> !found.contains(user)).count();
    }

    /** Returns how many users above the bound were not kept. There must be none. */
    int lost() {
        List<Integer> found = kept().stream().map(ZipfTrace::user).toList();
        return (int) IntStream.range(0, USERS)
                .filter(user -> made[user] > bound() && !found.contains(user))
                .count();
    }

    boolean isWithinItsBound() {
        return worst() <= bound() && lost() == 0;
    }

    /** Returns the results by their names in JSON. */
    Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("decisions", decisions);
        map.put("users", USERS);
        map.put("kept", TopKeys.KEPT);
        map.put("largest_error", worst());
        map.put("bound", bound());
        map.put("of_the_first_" + TOP + "_missing", missing());
        return map;
    }

    private List<TopKey> kept() {
        return topKeys.asked(POLICY, TopKeys.KEPT).topKeys();
    }

    private static int user(TopKey topKey) {
        return Integer.parseInt(String.valueOf(topKey.key().values().get(0)));
    }
}
