package dev.penstock.server.internal.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Settlement;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.internal.envoy.RateLimitDecider.DeniedHits;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The division of a caller's timeout between the two asks of a request. */
class RateLimitDeciderTest {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 3 } }
              - { key: model, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
            """;
    private static final long PATIENCE_MILLIS = 100;

    private final ManualClock clock = new ManualClock();
    private final List<Duration> timeouts = new ArrayList<>();
    private Duration taken = Duration.ZERO;

    /** An engine that is slow to decide and never answers a settlement. */
    private final class SlowEngine extends ForwardingEngine {
        SlowEngine() {
            super(MemoryEngine.builder().clock(clock).build());
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            timeouts.add(ask.timeout());
            clock.advance(taken);
            return inner.decide(ask);
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            return actual == null ? inner.settle(permitId, null) : Reply.later(new CompletableFuture<>());
        }
    }

    private RateLimitDecider limiting(DeniedHits deniedHits) throws PolicyErrors {
        EnvoyRules rules = EnvoyRules.parse("rules.yaml", RULES);
        return new RateLimitDecider(
                Limiter.builder(Policy.setOf())
                        .engine(new SlowEngine())
                        .clock(clock)
                        .build(),
                new RuleSelection(() -> rules),
                new ResponseWriter(HeadersToAdd.none(), MetadataToAdd.none(), clock),
                deniedHits,
                Duration.ofSeconds(1),
                clock,
                tally -> {},
                (request, decision) -> {});
    }

    private static RateLimitDescriptor descriptor(String key, String value, long hits) {
        return RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key).setValue(value))
                .setHitsAddend(UInt64Value.of(hits))
                .build();
    }

    private static CompletableFuture<RateLimitResponse> ask(
            RateLimitDecider limiting, RateLimitDescriptor... descriptors) {
        RateLimitRequest request = RateLimitRequest.newBuilder()
                .setDomain("edge")
                .addAllDescriptors(List.of(descriptors))
                .build();
        return limiting.answer(request, PATIENCE_MILLIS).toCompletableFuture();
    }

    @Test
    void restOfALimit_isCharged_withinTheRestOfTheTimeout() throws PolicyErrors {
        RateLimitDecider limiting = limiting(DeniedHits.COUNTED);
        taken = Duration.ofMillis(30);

        assertThat(ask(limiting, descriptor("user", "ann", 2))).isCompleted();
        assertThat(ask(limiting, descriptor("user", "ann", 2))).isCompleted();
        taken = Duration.ofMillis(300);
        assertThat(ask(limiting, descriptor("user", "bob", 4))).isCompleted();

        assertThat(timeouts)
                .containsExactly(
                        Duration.ofMillis(75),
                        Duration.ofMillis(75),
                        Duration.ofMillis(45),
                        Duration.ofMillis(75),
                        Duration.ofMillis(1));
    }

    @Test
    void denialWhoseReturnIsNotAnswered_isAnsweredInTime() throws PolicyErrors {
        RateLimitDecider limiting = limiting(DeniedHits.FREE);
        RateLimitDescriptor[] both = {descriptor("model", "one", 1), descriptor("model", "two", 1)};
        assertThat(ask(limiting, both)).isCompleted();
        taken = Duration.ofMillis(75);

        CompletableFuture<RateLimitResponse> denied = ask(limiting, both);

        assertThat(denied)
                .isCompletedWithValueMatching(response -> response.getOverallCode() == Code.OVER_LIMIT, "is denied");
    }
}
