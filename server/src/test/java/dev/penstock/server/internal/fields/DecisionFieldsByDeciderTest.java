package dev.penstock.server.internal.fields;

import static dev.penstock.server.internal.fields.Deciding.ANYBODY;
import static dev.penstock.server.internal.fields.Deciding.MINUTE;
import static dev.penstock.server.internal.fields.Deciding.api;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Guard;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The header fields if something other than the store decided. They contain only what the decider knows. */
class DecisionFieldsByDeciderTest {
    private final Deciding deciding = new Deciding();

    @Test
    void of_storeFull_hasPoliciesAndAnEstimate() {
        MemoryEngine engine = MemoryEngine.builder()
                .clock(deciding.clock)
                .maxKeys(1)
                .whenFull(WhenFull.DENY)
                .build();
        Limiter limiter = deciding.limiter(engine, api(Limit.tokenBucket(60, MINUTE)));
        limiter.decide(ANYBODY);
        Denied denied = (Denied) limiter.decide(Request.of("user", "b"));

        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL);
        assertThat(Wire.of(denied).text("RateLimit-Policy")).isEqualTo("\"api\";q=60;w=60");
        assertThat(Wire.of(denied).text("RateLimit")).isNull();
        assertThat(Wire.of(denied).text("X-RateLimit-Limit")).isNull();
        assertThat(Wire.of(denied).number("Retry-After")).isPositive();
    }

    /** The share of 60 among four nodes is 15. The policies stay the same. */
    @Test
    void of_fallback_hasTheSharesUnderTheSameNames() {
        Policy policy = api(Limit.tokenBucket(60, MINUTE), Limit.fixedWindow(80, MINUTE))
                .limit(Limit.fixedWindow(80, MINUTE))
                .onStoreFailure(FailureMode.LOCAL);
        FailingStore store =
                new FailingStore(MemoryEngine.builder().clock(deciding.clock).build());
        Guard guard = Guard.builder(store)
                .nodes(4)
                .clock(deciding.clock)
                .scheduler(deciding.clock)
                .build();
        Limiter limiter = deciding.limiter(guard, policy);
        Wire before = Wire.of(limiter.decide(ANYBODY));
        store.fails = true;
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            decisions.add(limiter.decide(ANYBODY));
        }

        assertThat(decisions).extracting(Decision::decidedBy).containsOnly(DecidedBy.FALLBACK);
        Decision denied = decisions.get(15);
        assertThat(denied.isAllowed()).isFalse();
        assertThat(((Denied) denied).retry()).isInstanceOf(Retry.Estimate.class);
        for (Decision decision : decisions) {
            Wire wire = Wire.of(decision);
            assertThat(wire.text("RateLimit-Policy")).isEqualTo(before.text("RateLimit-Policy"));
            assertThat(wire.limits())
                    .isNotEmpty()
                    .allSatisfy(limit -> assertThat(limit.integer("r")).isLessThan(20));
            assertThat(before.limits()).extracting(Wire.Member::name).containsAll(names(wire.limits()));
        }
        Wire last = Wire.of(denied);
        assertThat(last.limits().get(0).name()).isEqualTo("api/token_bucket-1m");
        assertThat(last.number("X-RateLimit-Limit")).isEqualTo(15);
        assertThat(last.limits().get(0).integer("t")).isEqualTo(last.number("Retry-After"));
    }

    private static List<String> names(List<Wire.Member> members) {
        return members.stream().map(Wire.Member::name).toList();
    }

    /** A store that answers until a test makes it fail. */
    private static final class FailingStore extends InterceptingEngine {
        private boolean fails;

        FailingStore(Engine inner) {
            super(inner);
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            if (fails) {
                throw new IllegalStateException("the store is gone");
            }
            return super.carryOut(call);
        }
    }

    @Test
    void of_closedFallback_hasPoliciesAndAnEstimate() {
        FailingStore store =
                new FailingStore(MemoryEngine.builder().clock(deciding.clock).build());
        store.fails = true;
        Guard guard = Guard.builder(store)
                .nodes(4)
                .clock(deciding.clock)
                .scheduler(deciding.clock)
                .build();
        Denied denied = (Denied)
                deciding.limiter(guard, api(Limit.tokenBucket(60, MINUTE)).onStoreFailure(FailureMode.CLOSED))
                        .decide(ANYBODY);

        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED);
        assertThat(Wire.of(denied).text("RateLimit-Policy")).isEqualTo("\"api\";q=60;w=60");
        assertThat(Wire.of(denied).text("RateLimit")).isNull();
        assertThat(Wire.of(denied).number("Retry-After")).isPositive();
    }

    /** The cache reports only limits that deny. Names and policies must not reveal that. */
    @Test
    void of_denyCache_namesStayTheSame() {
        Engine engine = DenyCache.builder(
                        MemoryEngine.builder().clock(deciding.clock).build())
                .clock(deciding.clock)
                .build();
        Limiter limiter = deciding.limiter(engine, api(Limit.tokenBucket(600, MINUTE), Limit.fixedWindow(1, MINUTE)));
        limiter.decide(ANYBODY);
        Wire byStore = Wire.of(limiter.decide(ANYBODY));
        Decision cached = limiter.decide(ANYBODY);
        Wire byCache = Wire.of(cached);

        assertThat(cached.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(byCache.text("RateLimit-Policy")).isEqualTo(byStore.text("RateLimit-Policy"));
        assertThat(byCache.limits()).hasSize(1);
        assertThat(byCache.limits().get(0)).isEqualTo(byStore.limits().get(0));
    }
}
