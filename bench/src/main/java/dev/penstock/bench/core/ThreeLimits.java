package dev.penstock.bench.core;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.bench.harness.Outcomes;
import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.Draw;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.engine.MemoryEngine;
import io.github.bucket4j.ConsumptionProbe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Three limits on every request: by user, by the user's tenant, and by route.
 *
 * <p>Penstock makes one decision, all or nothing. The competitor makes three calls in a row and stops at the first
 * denial, as its users do. Permits taken by the calls before are then lost, which does not count against it here.
 */
public class ThreeLimits {
    private static final int USERS = 100_000;
    private static final int TENANTS = 1_000;
    private static final int ROUTES = 50;

    /** One thread's requests. {@link #draw} chooses the next. */
    @State(Scope.Thread)
    public static class Requests {
        private final BenchKeyText users = new BenchKeyText("user-", 7);
        private final BenchKeyText tenants = new BenchKeyText("tenant-", 4);
        private final BenchKeyText routes = new BenchKeyText("/v1/route-", 2);
        private final Draw draw = new Draw();
        private int user;
        private int route;

        final void draw() {
            user = draw.below(USERS);
            route = draw.below(ROUTES);
        }

        final String user() {
            return users.of(user);
        }

        final String tenant() {
            return tenants.of(user % TENANTS);
        }

        final String route() {
            return routes.of(route);
        }
    }

    @State(Scope.Benchmark)
    public static class Penstock {
        private final MemoryEngine engine = MemoryEngine.create();
        final Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("api")
                        .limit(limit(LoadRate.USER), "user")
                        .limit(limit(LoadRate.TENANT), "tenant")
                        .limit(limit(LoadRate.ROUTE), "route")))
                .engine(engine)
                .build();

        @Setup
        public void fill() {
            Requests requests = new Requests();
            for (int i = 0; i < USERS; i++) {
                requests.user = i;
                requests.route = i % ROUTES;
                Decision unused = limiter.decide(request(requests));
            }
            Filled.check(engine.stats().keys(), USERS + TENANTS + ROUTES);
        }

        private static Limit limit(LoadRate rate) {
            return Limit.tokenBucket(rate.permits(), rate.period());
        }
    }

    @State(Scope.Benchmark)
    public static class InCaffeine {
        final Bucket4jCaffeine users = new Bucket4jCaffeine(Bucket4jBuckets.of(LoadRate.USER));
        final Bucket4jCaffeine tenants = new Bucket4jCaffeine(Bucket4jBuckets.of(LoadRate.TENANT));
        final Bucket4jCaffeine routes = new Bucket4jCaffeine(Bucket4jBuckets.of(LoadRate.ROUTE));

        @Setup
        public void fill() {
            Requests requests = new Requests();
            for (int i = 0; i < USERS; i++) {
                requests.user = i;
                requests.route = i % ROUTES;
                users.decide(requests.user());
                tenants.decide(requests.tenant());
                routes.decide(requests.route());
            }
            Filled.check(users.keys() + tenants.keys() + routes.keys(), USERS + TENANTS + ROUTES);
        }
    }

    @Benchmark
    public Decision penstock(Penstock penstock, Requests requests, Outcomes outcomes) {
        requests.draw();
        Decision decision = penstock.limiter.decide(request(requests));
        outcomes.note(decision.isAllowed());
        return decision;
    }

    @Benchmark
    public ConsumptionProbe bucket4jCaffeine(
            InCaffeine bucket4j, Requests requests, Outcomes outcomes, Blackhole blackhole) {
        requests.draw();
        ConsumptionProbe probe = bucket4j.users.decide(requests.user());
        if (probe.isConsumed()) {
            blackhole.consume(probe);
            probe = bucket4j.tenants.decide(requests.tenant());
        }
        if (probe.isConsumed()) {
            blackhole.consume(probe);
            probe = bucket4j.routes.decide(requests.route());
        }
        outcomes.note(probe.isConsumed());
        return probe;
    }

    private static Request request(Requests requests) {
        return Request.of("user", requests.user())
                .with("tenant", requests.tenant())
                .with("route", requests.route());
    }
}
