package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.RequestOutcome.Outcome;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionMetersTest {
    private static final Policy USERS = Policy.named("users").limit(Limit.tokenBucket(20, Duration.ofDays(1)), "user");

    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** Names routes by their first two letters, and plans by the tenant. */
    private static final PolicyLabels WORDS = new PolicyLabels() {
        @Override
        public List<String> keyParts(String counter) {
            return List.of();
        }

        @Override
        public @Nullable String route(String policy, Request request) {
            String route = request.attribute("route");
            return route == null ? null : route.substring(0, 2) + "**";
        }

        @Override
        public @Nullable String plan(Request request) {
            return request.attribute("tenant") == null ? null : "gold";
        }
    };

    private Limiter limiter(DecisionMeters meters, Policy... policies) {
        return Limiter.builder(Policy.setOf(policies))
                .clock(clock)
                .listener(meters)
                .build();
    }

    private double count(String name, String... tags) {
        FunctionCounter counter = registry.find(name).tags(tags).functionCounter();
        return counter == null ? 0 : counter.count();
    }

    private DecisionMeters.Builder meters() {
        return DecisionMeters.builder().words(WORDS).clock(clock);
    }

    @Test
    void overloadedRequest_isNotCountedAsADenial() {
        DecisionMeters meters = meters().to(registry);
        try (Limiter limiter = Limiter.builder(Policy.setOf(USERS))
                .engine(new ForwardingEngine(MemoryEngine.create()) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        return Denied.overloaded(ask, 0, Duration.ofSeconds(1));
                    }
                })
                .listener(meters)
                .build()) {
            limiter.decide(Request.of("user", "zebedee"));
        }
        meters.count(new RequestOutcome(Outcome.DENIED, DecidedBy.NODE, Map.of(), null, null));

        assertThat(count("rate.limiter.overloaded")).isEqualTo(2);
        assertThat(registry.find("rate.limiter.requests").functionCounters())
                .allSatisfy(each -> assertThat(each.count()).isZero());
        assertThat(registry.find("rate.limiter.blocked").functionCounters()).isEmpty();
        assertThat(registry.find("http.429").functionCounters()).isEmpty();
        assertThat(meters.counted()).isEqualTo(DecisionTotals.NOTHING);
        assertThat(meters.countedOverloaded()).isEqualTo(2);
    }

    @Test
    void requests_areCountedOnceInTotal_andOncePerPolicyByRoute() {
        Policy shadow = Policy.named("watched").shadow().limit(Limit.tokenBucket(5, Duration.ofDays(1)), "user");
        try (Limiter limiter = limiter(meters().region("eu").to(registry), USERS, shadow)) {
            for (int i = 0; i < 25; i++) {
                limiter.decide(Request.of("user", "zebedee").with("route", "/a/" + i));
            }
            limiter.decide(Request.of("user", "florence"));
        }

        assertThat(count("rate.limiter.requests", "outcome", "allowed", "decided_by", "store"))
                .isEqualTo(21);
        assertThat(count("rate.limiter.allowed", "policy", "users", "route", "/a**"))
                .isEqualTo(20);
        assertThat(count("rate.limiter.allowed", "policy", "users", "route", "none"))
                .isEqualTo(1);
        assertThat(count("rate.limiter.allowed", "policy", "watched", "route", "/a**"))
                .isEqualTo(5);
        assertThat(count("rate.limiter.blocked", "policy", "users", "route", "/a**", "decided_by", "store"))
                .isEqualTo(5);
        assertThat(count("rate.limiter.blocked", "policy", "watched")).isZero();
        assertThat(count("rate.limiter.shadow.blocked", "policy", "watched", "route", "/a**"))
                .isEqualTo(20);
        assertThat(count("rate.limiter.near.limit", "policy", "users", "route", "/a**"))
                .as("the last two leave fewer than two of twenty")
                .isEqualTo(2);
        assertThat(count("http.429", "route", "/a**", "plan", "none", "region", "eu"))
                .isEqualTo(5);
    }

    @Test
    void labels_containNothingFromARequest() {
        try (Limiter limiter = limiter(meters().to(registry), USERS)) {
            for (int i = 0; i < 25; i++) {
                limiter.decide(Request.of("user", "zebedee")
                        .with("tenant", "florence")
                        .with("route", "/a/brian")
                        .with("ip", "203.0.113.9"));
            }
        }

        assertThat(registry.getMeters().stream().map(Meter::getId).map(Meter.Id::toString))
                .noneMatch(id -> id.contains("zebedee")
                        || id.contains("florence")
                        || id.contains("brian")
                        || id.contains("203.0.113"));
        assertThat(count("http.429", "route", "/a**", "plan", "gold", "region", "none"))
                .isEqualTo(5);
    }

    @Test
    void tenants_haveTheirOwnLabelsIfConfigured_upToTheMaximum() {
        Policy none = Policy.named("one").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "tenant");
        try (Limiter limiter = limiter(meters().tenants(2).to(registry), none)) {
            for (String tenant : List.of("a", "b", "c", "d", "a")) {
                limiter.decide(Request.of("tenant", tenant));
                limiter.decide(Request.of("tenant", tenant));
            }
        }

        assertThat(count("http.429", "tenant", "a")).isEqualTo(3);
        assertThat(count("http.429", "tenant", "b")).isEqualTo(1);
        assertThat(count("http.429", "tenant", "(others)")).isEqualTo(2);
        assertThat(registry.find("http.429").functionCounters()).hasSize(3);
    }

    @Test
    void seriesAboveTheMaximum_countAsOthers_andNothingIsLost() {
        try (Limiter limiter = limiter(meters().mostSeries(6).to(registry), USERS)) {
            for (int i = 0; i < 10; i++) {
                limiter.decide(Request.of("user", "ann").with("route", "/" + i));
            }
        }

        double all = registry.find("rate.limiter.allowed").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
        assertThat(all).isEqualTo(10);
        assertThat(count("rate.limiter.allowed", "policy", "(others)", "route", "(others)"))
                .isEqualTo(5);
        assertThat(registry.get("rate.limiter.series").gauge().value()).isEqualTo(6);
        assertThat(count("rate.limiter.series.refused")).isPositive();
        assertThat(registry.get("rate.limiter.current.rate").gauges()).hasSize(1);
    }

    @Test
    void unlimitedPaths_createALimitedNumberOfSeries() {
        try (Limiter limiter = limiter(meters().to(registry), USERS)) {
            for (int i = 0; i < 20_000; i++) {
                limiter.decide(Request.of("user", "u" + i).with("route", "/a/" + i));
            }
        }

        assertThat(registry.find("rate.limiter.allowed").functionCounters()).hasSize(1);
        assertThat(count("rate.limiter.allowed", "route", "/a**")).isEqualTo(20_000);
    }

    @Test
    void currentRate_coversTheLastTenSeconds() {
        try (Limiter limiter = limiter(meters().to(registry), USERS)) {
            limiter.decide(Request.of("user", "ann"));
            for (int second = 0; second < 30; second++) {
                clock.advance(Duration.ofSeconds(1));
                for (int i = 0; i < (second < 15 ? 100 : 7); i++) {
                    limiter.decide(Request.of("user", "u" + i));
                }
                double unused = rate();
            }

            assertThat(rate()).isCloseTo(7, within(0.01));
            clock.advance(Duration.ofHours(1));
            assertThat(rate()).isLessThan(1);
            clock.advance(Duration.ofSeconds(10));
            assertThat(rate()).isZero();
        }
    }

    private double rate() {
        return registry.get("rate.limiter.current.rate")
                .tag("policy", "users")
                .gauge()
                .value();
    }

    @Test
    void liveAndHotKeys_areReported() {
        TopKeys topKeys = new TopKeys(clock, 10);
        topKeys.bindTo(registry);
        try (Limiter limiter = Limiter.builder(Policy.setOf(USERS))
                .clock(clock)
                .listener(topKeys)
                .listener(meters().liveKeys(topKeys).to(registry))
                .build()) {
            for (int i = 0; i < 30; i++) {
                limiter.decide(Request.of("user", "ann"));
                limiter.decide(Request.of("user", "u" + i % 3));
            }
            clock.advance(Duration.ofSeconds(1));
            topKeys.turn();
        }

        assertThat(registry.get("rate.limiter.live.keys")
                        .tag("policy", "users")
                        .gauge()
                        .value())
                .isBetween(3.0, 4.0); // 4 users, of which two may share a register of the sketch
        assertThat(count("rate.limiter.hot.keys.detected")).isEqualTo(4);
    }

    @Test
    void requestOutcome_isCounted() {
        DecisionMeters meters = meters().to(registry);
        meters.count(new RequestOutcome(
                Outcome.DENIED,
                DecidedBy.FALLBACK,
                Map.of("a", Outcome.DENIED, "b", Outcome.SHADOW_DENIED),
                null,
                null));
        meters.count(new RequestOutcome(Outcome.ALLOWED, DecidedBy.STORE, Map.of("a", Outcome.ALLOWED), "a", null));

        assertThat(count("rate.limiter.blocked", "policy", "a", "decided_by", "fallback"))
                .isEqualTo(1);
        assertThat(count("rate.limiter.shadow.blocked", "policy", "b")).isEqualTo(1);
        assertThat(count("rate.limiter.near.limit", "policy", "a")).isEqualTo(1);
        assertThat(count("rate.limiter.requests", "outcome", "allowed", "decided_by", "store"))
                .isEqualTo(1);
        assertThat(count("http.429", "route", "none")).isEqualTo(1);
        assertThat(registry.get("http.429").functionCounter().getId().getTags())
                .extracting(Tag::getKey)
                .containsExactlyInAnyOrder("route", "plan", "region");
    }

    @Test
    void requestOutcome_hasItsRouteAndPlanIfKnown() {
        PolicyLabels words = new PolicyLabels() {
            @Override
            public List<String> keyParts(String counter) {
                return List.of();
            }

            @Override
            public String route(String policy, Request request) {
                return "/of/" + policy;
            }

            @Override
            public String plan(Request request) {
                return "plan of " + request.attribute("tenant");
            }
        };
        DecisionMeters meters = meters().words(words).to(registry);
        RequestOutcome.Input asked = new RequestOutcome.Input(
                Request.of("route", "/x").with("tenant", "acme"), new PolicyVersion(1, "hash"));
        meters.count(new RequestOutcome(Outcome.DENIED, DecidedBy.STORE, Map.of("a", Outcome.DENIED), null, asked));

        assertThat(count("rate.limiter.blocked", "policy", "a", "route", "/of/a"))
                .isEqualTo(1);
        assertThat(count("http.429", "route", "/of/a", "plan", "plan of acme")).isEqualTo(1);
    }

    @Test
    void timedEngine_measuresEachDecision() {
        try (Limiter limiter = Limiter.builder(Policy.setOf(USERS))
                .engine(TimedEngine.around(MemoryEngine.create(), registry))
                .build()) {
            limiter.decide(Request.of("user", "ann"));
            limiter.decide(Request.of("user", "ann"));
        }

        assertThat(registry.get("rate.limiter.decision").timer().count()).isEqualTo(2);
    }
}
