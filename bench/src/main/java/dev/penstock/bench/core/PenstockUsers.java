package dev.penstock.bench.core;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.engine.MemoryEngine;

/** Penstock with one token bucket per user, bounded at two million keys like its competitors. Thread-safe. */
final class PenstockUsers {
    private static final String USER = "user";

    private final MemoryEngine engine =
            MemoryEngine.builder().maxKeys(CaffeineBounds.MOST_KEYS).build();
    private final Limiter limiter;

    PenstockUsers(LoadRate rate) {
        Policy policy = Policy.named("api").limit(Limit.tokenBucket(rate.permits(), rate.period()), USER);
        limiter = Limiter.builder(Policy.setOf(policy)).engine(engine).build();
    }

    Decision decide(String user) {
        return limiter.decide(Request.of(USER, user));
    }

    Decision decide(String user, int cost) {
        return cost == 1 ? decide(user) : limiter.decide(Request.of(USER, user).cost(Costs.REQUESTS, cost));
    }

    int keys() {
        return engine.stats().keys();
    }
}
