package dev.penstock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShadowChargesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final LimitSettings ENFORCED = LimitSettings.of("p", Limit.fixedWindow(3, HOUR));
    private static final Key KEY = Key.of("c", "v");

    private final Charge enforced = Charge.of(ENFORCED, KEY, 2);
    private final Charge shadow = Charge.of(ENFORCED.enforcement(Enforcement.SHADOW), KEY, 2);

    @Test
    void denies_onlyAnEnforcedChargeThatDoesNotFit() {
        assertThat(ShadowCharges.denies(enforced, false)).isTrue();
        assertThat(ShadowCharges.denies(enforced, true)).isFalse();
        assertThat(ShadowCharges.denies(shadow, false)).isFalse();
    }

    @Test
    void aheadOfNext_shadowThatDoesNotFit_addsNothing() {
        assertThat(ShadowCharges.aheadOfNext(enforced, 5, false)).isEqualTo(7);
        assertThat(ShadowCharges.aheadOfNext(shadow, 5, true)).isEqualTo(7);
        assertThat(ShadowCharges.aheadOfNext(shadow, 5, false)).isEqualTo(5);
    }

    @Test
    void delayMicros_shadow_isZero() {
        assertThat(ShadowCharges.delayMicros(enforced, 9)).isEqualTo(9);
        assertThat(ShadowCharges.delayMicros(shadow, 9)).isZero();
    }

    @Test
    void counts_ofAShadowPolicy_growOnlyWhileItFitsAndTheRequestIsAllowed() {
        Limiter limiter = Limiter.builder(Policy.setOf(
                        Policy.named("enforced").limit(Limit.fixedWindow(3, HOUR), "user"),
                        Policy.named("shadow")
                                .limit(Limit.fixedWindow(2, HOUR), "user")
                                .shadow()))
                .clock(new ManualClock())
                .build();
        Request bob = Request.of("user", "bob");

        assertThat(limiter.decide(bob).shadowDenials()).isEmpty();
        assertThat(limiter.decide(bob).shadowDenials()).isEmpty();
        assertThat(limiter.decide(bob).shadowDenials()).hasSize(1);
        assertThat(limiter.decide(bob).isAllowed()).isFalse();
        assertThat(limiter.peek(bob).limits().get(1).remaining()).isZero();
    }
}
