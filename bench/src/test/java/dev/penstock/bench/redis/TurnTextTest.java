package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Turn;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TurnTextTest {
    @Test
    void read_whatWasWritten_isTheSameTurn() {
        Turn plain = turn(Optional.empty());
        Turn withPings = turn(Optional.of(new Latency(20.5, 40)));

        assertThat(TurnText.read(TurnText.write(plain))).isEqualTo(plain);
        assertThat(TurnText.read(TurnText.write(withPings))).isEqualTo(withPings);
    }

    private static Turn turn(Optional<Latency> ping) {
        OverAStore store = new OverAStore(new Latency(100.25, 250), ping, 900.5, 0.02, 71.5, 3);
        return new Turn(List.of(115_000.5, 120_000.0), 4_000.5, 812, 0.999, Optional.of(store));
    }
}
