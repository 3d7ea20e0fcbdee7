package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit;
import dev.penstock.Request;
import dev.penstock.spi.Engine;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** However long the texts of a request are, engines keep only short texts of it, and never the whole request. */
class RetainedTextTest {
    private static final int REQUESTS = 20;
    private static final String LONG_TEXT = "0123456789abcdef".repeat(500);

    private final ManualClock clock = new ManualClock();

    /** A store that can be made unavailable. */
    private static final class Fickle extends InterceptingEngine {
        private boolean isAway;

        Fickle(Engine inner) {
            super(inner);
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            return isAway ? Reply.later(CompletableFuture.failedFuture(new IllegalStateException("away"))) : call.get();
        }
    }

    private Limiter limiter(Engine engine) {
        PolicySet policies = Policy.setOf(
                Policy.named("users")
                        .when(RetainedTextTest::isOfAUser)
                        .limit(Limit.tokenBucket(2, Duration.ofMinutes(1)), "user")
                        .onStoreFailure(FailureMode.LOCAL),
                Policy.named("tenants")
                        .when(RetainedTextTest::isOfAUser)
                        .limit(Limit.fixedWindow(3, Duration.ofDays(1)), "user")
                        .limit(Limit.concurrency(2, Duration.ofMinutes(1)), "user")
                        .limit(PolicyLimit.of(Limit.fixedWindow(9, Duration.ofHours(1)))
                                .by("user")
                                .local())
                        .colocate("tenant")
                        .onStoreFailure(FailureMode.LOCAL),
                Policy.named("hot")
                        .when(request -> !isOfAUser(request))
                        .limit(Limit.fixedWindow(1_000_000, Duration.ofDays(1)), "hot")
                        .consistency(Consistency.LEASED)
                        .onStoreFailure(FailureMode.LOCAL));
        return Limiter.builder(policies)
                .engine(engine)
                .clock(clock)
                .scheduler(clock)
                .build();
    }

    private static boolean isOfAUser(Request request) {
        return request.attribute("user") != null;
    }

    private static Request request(int i) {
        return Request.of("user", i + LONG_TEXT)
                .with("tenant", i % 3 + LONG_TEXT)
                .with("other", LONG_TEXT)
                .id(new IdempotencyKey(i + LONG_TEXT, i + LONG_TEXT));
    }

    private static void ask(Limiter limiter) {
        for (int i = 0; i < REQUESTS; i++) {
            limiter.decide(request(i));
            limiter.decide(request(i));
            limiter.decide(request(i).id("again" + i + LONG_TEXT));
            limiter.reserve(request(i).id("held" + i), Hold.of(Duration.ofMinutes(1)));
        }
        for (int i = 0; i < 100 * REQUESTS; i++) {
            limiter.decide(Request.of("hot", LONG_TEXT));
        }
    }

    /** @param kinds simple names of classes that must be among the kept objects */
    private static void assertIsShort(Object engine, String... kinds) {
        List<Object> kept = Retained.by(engine);
        assertThat(kept).extracting(each -> each.getClass().getSimpleName()).contains(kinds);
        assertThat(kept).noneMatch(Request.class::isInstance);
        assertThat(kept)
                .filteredOn(each -> each instanceof String text && text.length() > 2 * Key.LONGEST_VALUE)
                .isEmpty();
        assertThat(kept)
                .filteredOn(each -> each instanceof byte[] bytes && bytes.length > 4 * Key.LONGEST_VALUE)
                .isEmpty();
    }

    @Test
    void memory_keepsNoLongText() {
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        ask(limiter(engine));
        assertIsShort(engine, "IdempotencyRecord", "Account", "HeldPermit");
    }

    @Test
    void node_withAnOutage_keepsNoLongText() {
        Fickle store = new Fickle(MemoryEngine.builder().clock(clock).build());
        Engine leasing = Leasing.builder(store).clock(clock).scheduler(clock).build();
        Engine cache = DenyCache.builder(leasing).clock(clock).build();
        Guard guard = Guard.builder(cache).clock(clock).scheduler(clock).build();
        Engine node = LocalFirst.builder(guard).clock(clock).build();
        Limiter limiter = limiter(node);

        ask(limiter);
        assertIsShort(node, "IdempotencyRecord", "CachedDenial", "Watched", "AccountLeases", "Lease", "StoreReport");
        store.isAway = true;
        ask(limiter);
        clock.advance(Duration.ofSeconds(1));
        ask(limiter);
        assertThat(guard.isInFallback()).isTrue();
        assertIsShort(node, "OutageSpending");
    }

    @Test
    void ids_areBounded() {
        int most = 100;
        MemoryEngine engine = MemoryEngine.builder().clock(clock).maxKeys(most).build();
        Limiter limiter = limiter(engine);
        for (int i = 0; i < 50 * most; i++) {
            Request request =
                    Request.of("user", "user" + i).with("tenant", "tenant" + i); // allowed: denials are not remembered
            limiter.decide(request.id(new IdempotencyKey("request" + i, "owned")));
            limiter.decide(request.id("again" + i % 7));
        }
        assertThat(Retained.by(engine))
                .filteredOn(each -> each.getClass().getSimpleName().equals("IdempotencyRecord"))
                .hasSizeBetween(most / 2, 3 * most);
    }
}
