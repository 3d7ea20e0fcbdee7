package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Guard;
import dev.penstock.engine.Leasing;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes a tenant's plan while its requests are denied in the process, with a real Redis. */
class PoliciesPlanChangeIT {
    private static final Request ACME = Request.of("tenant", "acme").timeout(Duration.ofSeconds(10));

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();

    @TempDir
    private Path directory;

    private void tenants(String plan) throws IOException {
        Path file = directory.resolve("tenants.yaml.new");
        Files.writeString(file, "version: 1\ntenants: { acme: " + plan + " }\n");
        Files.move(
                file,
                directory.resolve("tenants.yaml"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    private void policies(String consistency) throws IOException {
        Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                plans:
                  free: { requests: 20/d }
                  team: { requests: 1000/d }
                default_plan: free
                policies:
                  - name: plan
                    consistency: %s
                    limits: [ { key: [tenant], token_bucket: plan.requests } ]
                """.formatted(consistency));
    }

    @Test
    void strict_cachedDenials_areNotUsedUnderTheNewPlan() throws Exception {
        Decision denied = changePlan("strict");

        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    @Test
    void leased_leasesAndShortages_areNotUsedUnderTheNewPlan() throws Exception {
        changePlan("leased");
    }

    /**
     * Uses up the free plan, changes to the larger one and uses up the rest. Returns the last denial before the change.
     */
    private Decision changePlan(String consistency) throws Exception {
        policies(consistency);
        tenants("free");
        try (RedisServer redis = RedisServer.start();
                PolicyWatch watch = PolicyWatch.of(directory).start();
                Limiter limiter = Limiter.builder(watch).engine(node(redis)).build()) {
            use(limiter, 20);
            Decision denied = limiter.decide(ACME);
            assertThat(denied.isAllowed()).isFalse();

            tenants("team");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> watch.version().number() == 2);
            use(limiter, 1000);

            tenants("free");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> watch.version().number() == 3);
            assertThat(limiter.decide(ACME).isAllowed()).isFalse();
            return denied;
        }
    }

    /**
     * Asks until this many permits are used, and then asks again. Leases come in parts, but must not add up to more.
     */
    private void use(Limiter limiter, int inAll) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            for (int i = 0; i < 100 && limiter.decide(ACME).isAllowed(); i++) {
                used.incrementAndGet();
            }
            return used.get() + expired.get() >= inAll;
        });
        for (int i = 0; i < 100; i++) {
            used.addAndGet(limiter.decide(ACME).isAllowed() ? 1 : 0);
        }
        assertThat(used.get() + expired.get())
                .as("every permit can be used, and none twice; %s expired unused", expired)
                .isEqualTo(inAll);
    }

    private Engine node(RedisServer redis) {
        Engine store = new Ledger(RedisEngine.builder(redis.uri()).build(), expired);
        return Guard.builder(DenyCache.around(Leasing.builder(store).build()))
                .deadline(Duration.ofSeconds(10))
                .build();
    }

    /**
     * Adds up the unused permits of leases that ended too late, after their hold had expired and was charged in full.
     * That happens on a machine that stalls for more than a fifth of a lease's life.
     */
    private static final class Ledger extends ForwardingEngine {
        private final Map<String, Long> drawn = new ConcurrentHashMap<>();
        private final AtomicLong expired;

        Ledger(Engine store, AtomicLong expired) {
            super(store);
            this.expired = expired;
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            return Reply.later(inner.decide(ask).whenReady().thenApply(decision -> {
                if (decision instanceof Allowed allowed && allowed.permitHandle() != null) {
                    drawn.put(allowed.permitHandle().id(), ask.charge(0).cost());
                }
                return decision;
            }));
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            return Reply.later(inner.settle(permitId, actual).whenReady().thenApply(settlement -> {
                if (settlement.status() == Settlement.Status.EXPIRED && actual != null) {
                    expired.addAndGet(drawn.getOrDefault(permitId, 0L) - actual.amount("requests", 0));
                }
                return settlement;
            }));
        }
    }
}
