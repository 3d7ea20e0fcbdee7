package dev.penstock.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBoundsTest {
    private static final long MIB = 1 << 20;

    @Test
    void defaultMaxKeys_isAMillion_unlessTheHeapIsSmall() {
        assertThat(MemoryBounds.defaultMaxKeys(4_096 * MIB)).isEqualTo(1_000_000);
        assertThat(MemoryBounds.defaultMaxKeys(320 * MIB)).isEqualTo(559_240);
    }

    @Test
    void permitsAndAnswers_areAsManyAsKeys_unlessTheHeapIsSmall() {
        assertThat(MemoryBounds.maxPermits(1_000, 320 * MIB)).isEqualTo(1_000);
        assertThat(MemoryBounds.maxPermits(1_000_000, 320 * MIB)).isEqualTo(55_924);
        assertThat(MemoryBounds.maxAnswers(1_000, 320 * MIB)).isEqualTo(1_000);
        assertThat(MemoryBounds.maxAnswers(1_000_000, 320 * MIB)).isEqualTo(41_943);
    }
}
