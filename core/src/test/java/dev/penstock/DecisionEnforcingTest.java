package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Charges that were made one by one and are answered together. */
class DecisionEnforcingTest {
    private static final LimitSettings SMALL = shadow("small", 1);
    private static final LimitSettings LARGE = shadow("large", 10);

    private final MemoryEngine engine =
            MemoryEngine.builder().clock(new ManualClock()).build();

    private static LimitSettings shadow(String policy, long permits) {
        return LimitSettings.of(policy, Limit.tokenBucket(permits, Duration.ofDays(1)))
                .enforcement(Enforcement.SHADOW);
    }

    private Decision decide() {
        return engine.decide(Ask.of(List.of(
                        Charge.of(SMALL, Key.of("s", "ann"), 1).colocation("ann"),
                        Charge.of(LARGE, Key.of("l", "ann"), 1).colocation("ann"))))
                .ifReady();
    }

    @Test
    void exceededCharge_denies_ifItIsEnforced() {
        assertThat(decide().enforcing(charge -> true).isAllowed()).isTrue();
        Decision made = decide();
        Decision all = made.enforcing(charge -> true);
        Decision large = made.enforcing(charge -> charge.settings().policy().equals("large"));

        assertThat(made.isAllowed()).isTrue();
        assertThat(all).isInstanceOf(Denied.class);
        assertThat(((Denied) all).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(all.binding()).extracting(LimitStatus::policy).isEqualTo("small");
        assertThat(all.shadowDenials()).isEmpty();
        assertThat(all.madeAt()).isEqualTo(made.madeAt());
        assertThat(large.isAllowed()).isTrue();
        assertThat(large.binding()).extracting(LimitStatus::policy).isEqualTo("large");
        assertThat(large.shadowDenials())
                .singleElement()
                .extracting(LimitStatus::policy)
                .isEqualTo("small");
        assertThat(large.charges()).allMatch(charge -> "ann".equals(charge.colocation()));
    }
}
