package dev.penstock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResetsTest {
    private static Charge charge(Limit limit, String counter, String who) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of(counter, who), 1);
    }

    @Test
    void of_anAccount_isTheSameInEveryProcess() {
        Limit bucket = Limit.tokenBucket(5, Duration.ofSeconds(1));
        assertThat(Resets.of(Ask.of(charge(bucket, "counter", "ann"))).fingerprints())
                .containsExactly(0xb282a2995b80d96bL);
        assertThat(Resets.of(Ask.of(charge(Limit.tokenBucket(9, Duration.ofHours(1)), "counter", "ann"))))
                .as("other numbers, the same account")
                .isEqualTo(Resets.of(Ask.of(charge(bucket, "counter", "ann"))));
    }

    @Test
    void of_severalAccounts_includesOnlyThese() {
        Limit bucket = Limit.tokenBucket(5, Duration.ofSeconds(1));
        Limit window = Limit.fixedWindow(5, Duration.ofSeconds(1));
        Charge ann = charge(bucket, "counter", "ann");
        Charge bob = charge(bucket, "counter", "bob");
        Resets both = Resets.of(Ask.of(ann, bob));
        assertThat(both.fingerprints()).hasSize(2);
        for (Charge other : new Charge[] {
            charge(bucket, "counter2", "ann"), charge(window, "counter", "ann"), charge(bucket, "counter", "an")
        }) {
            long fingerprint =
                    Resets.of(Ask.of(other)).fingerprints().iterator().next();
            assertThat(both.mayInclude(fingerprint)).isFalse();
            assertThat(Resets.ALL.mayInclude(fingerprint)).isTrue();
        }
    }
}
