package dev.penstock.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.load.BenchKeyText;
import dev.penstock.bench.load.LoadRate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * All contenders must give the same answers to the same requests. Otherwise measurements would compare different
 * things.
 */
class ContendersTest {
    private static final String KEY = "user-0000042";

    /** Nothing is refilled while a test runs, even on a slow machine. */
    private static final LoadRate SLOW = new LoadRate(100, Duration.ofDays(1));

    @Test
    void slowRate_everyContenderAllowsOnlyItsPermits() {
        Map<String, Boolean> allowedLast = new LinkedHashMap<>();
        Map<String, Boolean> allowedAfter = new LinkedHashMap<>();
        contenders(SLOW).forEach((name, contender) -> {
            for (int i = 1; i < SLOW.permits(); i++) {
                contender.isAllowed(KEY, 1);
            }
            allowedLast.put(name, contender.isAllowed(KEY, 1));
            allowedAfter.put(name, contender.isAllowed(KEY, 1));
        });

        assertThat(allowedLast.values()).containsOnly(true);
        assertThat(allowedAfter.values()).containsOnly(false);
    }

    @Test
    void abundantRate_everyContenderAllowsOneAndDeniesMoreThanTheCapacity() {
        contenders(LoadRate.ABUNDANT).forEach((name, contender) -> {
            assertThat(contender.isAllowed(KEY, 1)).as(name).isTrue();
            assertThat(contender.isAllowed(KEY, LoadRate.ABUNDANT.permits() + 1))
                    .as(name)
                    .isFalse();
            assertThat(contender.isAllowed(KEY, 1)).as(name).isTrue();
        });
    }

    @Test
    void guava_isOnlyAskedForOne() {
        GuavaMap slow = new GuavaMap(SLOW);
        slow.decide(KEY);

        assertThat(slow.decide(KEY)).isFalse();
        assertThat(new GuavaMap(LoadRate.ABUNDANT).decide(KEY)).isTrue();
    }

    @Test
    void caffeine_keepsABucketPerKey() {
        for (Bucket4jBuckets buckets :
                new Bucket4jBuckets[] {Bucket4jBuckets.of(SLOW), Bucket4jBuckets.withSharedConfiguration(SLOW)}) {
            Bucket4jCaffeine users = new Bucket4jCaffeine(buckets);
            users.decide(KEY);
            users.decide("user-0000043");

            assertThat(users.decide(KEY).getRemainingTokens()).isEqualTo(98);
            assertThat(users.keys()).isEqualTo(2);
        }
    }

    @Test
    void keyText_isANewStringEachTime() {
        BenchKeyText text = UserKeys.text();

        assertThat(text.of(42)).isEqualTo(KEY).isNotSameAs(text.of(42)).isEqualTo(new HotKey().next());
        assertThat(text.of(999_999)).isEqualTo("user-0999999");
    }

    @Test
    void hotKey_exceedsTheCapacityOnceInAHundredRequests() {
        HotKey key = new HotKey();
        int tooMuch = 0;
        for (int i = 0; i < 1_000; i++) {
            tooMuch += key.costAboveCapacityAtTimes(LoadRate.ABUNDANT) > LoadRate.ABUNDANT.permits() ? 1 : 0;
        }

        assertThat(tooMuch).isEqualTo(10);
    }

    private interface Asked {
        boolean isAllowed(String key, int cost);
    }

    private static Map<String, Asked> contenders(LoadRate rate) {
        PenstockUsers penstock = new PenstockUsers(rate);
        Bucket4jMap map = new Bucket4jMap(rate);
        Resilience4jRegistry resilience4j = new Resilience4jRegistry(rate);
        return Map.of(
                "penstock", (key, cost) -> penstock.decide(key, cost).isAllowed(),
                "bucket4j", (key, cost) -> map.decide(key, cost).isConsumed(),
                "resilience4j", resilience4j::decide);
    }
}
