package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DenyCacheContractTest extends EngineContract {
    @Override
    protected Engine createEngine(ManualClock clock) {
        return DenyCache.builder(MemoryEngine.builder().clock(clock).build())
                .clock(clock)
                .build();
    }

    /**
     * The only example with another answer from the cache, because a cached denial reports only the limit that denies.
     */
    @Test
    @Override
    public void decide_oneOfManyDenies_chargesNone() {
        Limit daily = Limit.fixedWindow(3, Duration.ofDays(1));
        Limit bucket = Limit.tokenBucket(5, Duration.ofSeconds(1));
        drain(daily, "ann");
        Denied denied = denied(charge(bucket, 2), charge(daily, 1));
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(denied.limits()).extracting(LimitStatus::limit).containsExactly(daily);
        assertThat(remaining(bucket, "ann")).isEqualTo(5);
    }

    private static Charge charge(Limit limit, long cost) {
        return Charge.of(LimitSettings.of("contract", limit), Key.of("contract", "ann"), cost);
    }
}
