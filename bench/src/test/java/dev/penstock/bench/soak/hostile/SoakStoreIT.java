package dev.penstock.bench.soak.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SoakStoreIT {
    @Test
    void longest_isThatOfCommands_notOfRedisItself() {
        assertThat(SoakStore.longest(List.of("expire-cycle", "1", "70", "90", "command", "1", "51", "64")))
                .isEqualTo(64);
        assertThat(SoakStore.longest(List.of(""))).isZero();
    }

    @Test
    void sample_readsWhatRedisReports() {
        try (SoakStore store = new SoakStore()) {
            StoreSample sample = store.sample();

            assertThat(sample.usedMegabytes()).isPositive();
            assertThat(sample.keys()).isZero();
            assertThat(store.longestCommandMillis()).isNotNegative();
        }
    }
}
