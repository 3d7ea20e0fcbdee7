package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The engine contract with everything in the store, with everything in this process, and with token buckets in this
 * process.
 */
class LocalFirstContractTest {
    private static Engine localFirst(ManualClock clock, Predicate<Limit> isLocal) {
        Engine store = MemoryEngine.builder().clock(clock).build();
        return new PlacedEngine(LocalFirst.builder(store).clock(clock).build(), isLocal);
    }

    @Nested
    class AllInTheStoreTest extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock clock) {
            return localFirst(clock, limit -> false);
        }
    }

    @Nested
    class AllInTheProcessTest extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock clock) {
            return localFirst(clock, limit -> true);
        }
    }

    @Nested
    class TokenBucketsInTheProcessTest extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock clock) {
            return localFirst(clock, limit -> limit.algorithm() instanceof TokenBucket);
        }

        /**
         * The only example with another answer if limits are in both places, because the store was not asked and cannot
         * report its wait.
         */
        @Test
        @Override
        public void decide_deniedByTwo_saysToRetryAtTheLater() {
            Limit bucket = Limit.tokenBucket(5, Duration.ofSeconds(1));
            Limit daily = Limit.fixedWindow(3, Duration.ofDays(1));
            drain(bucket, "ann");
            drain(daily, "ann");
            Denied denied = denied(charge(daily), charge(bucket));
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.LOCAL_LIMIT);
            assertThat(denied.limits()).extracting(LimitStatus::limit).containsExactly(bucket);
            pass(Duration.ofMillis(200));
            assertThat(binding(denied(charge(daily), charge(bucket))).limit()).isEqualTo(daily);
        }

        private static Charge charge(Limit limit) {
            return Charge.of(LimitSettings.of("contract", limit), Key.of("contract", "ann"), 1);
        }
    }
}
