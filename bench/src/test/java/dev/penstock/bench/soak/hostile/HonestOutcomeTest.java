package dev.penstock.bench.soak.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HonestOutcomeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "200 | {\"allowed\":true,\"decided_by\":\"store\"}                            | ALLOWED",
                "200 | {\"allowed\":true,\"decided_by\":\"fallback\"}                         | FALLBACK",
                "200 | {\"allowed\":false,\"decided_by\":\"store\",\"reason\":\"limit\"}      | DENIED",
                "200 | {\"allowed\":false,\"decided_by\":\"node\",\"reason\":\"overloaded\"}  | OVERLOADED",
                "503 | {\"status\":503,\"reason\":\"overloaded\"}                             | OVERLOADED",
                "503 | {\"status\":503,\"detail\":\"The service is shutting down or was too slow.\"}     | ERROR",
                "500 | {}                                                                     | ERROR",
            })
    void ofDecision(int status, String body, HonestOutcome expected) {
        assertThat(HonestOutcome.ofDecision(status, body)).isEqualTo(expected);
    }

    @Test
    void ofGate() {
        assertThat(HonestOutcome.ofGate(200, "")).isEqualTo(HonestOutcome.ALLOWED);
        assertThat(HonestOutcome.ofGate(429, "")).isEqualTo(HonestOutcome.DENIED);
        assertThat(HonestOutcome.ofGate(503, "overloaded")).isEqualTo(HonestOutcome.OVERLOADED);
        assertThat(HonestOutcome.ofGate(404, "")).isEqualTo(HonestOutcome.ERROR);
    }

    @Test
    void ofSettlement() {
        assertThat(HonestOutcome.ofSettlement(200, "")).isEqualTo(HonestOutcome.ALLOWED);
        assertThat(HonestOutcome.ofSettlement(202, "")).isEqualTo(HonestOutcome.OVERLOADED);
        assertThat(HonestOutcome.ofSettlement(404, "")).isEqualTo(HonestOutcome.ERROR);
    }

    @Test
    void ofGrpc() {
        assertThat(HonestOutcome.ofGrpc(0, true)).isEqualTo(HonestOutcome.ALLOWED);
        assertThat(HonestOutcome.ofGrpc(0, false)).isEqualTo(HonestOutcome.DENIED);
        assertThat(HonestOutcome.ofGrpc(14, false)).isEqualTo(HonestOutcome.OVERLOADED);
        assertThat(HonestOutcome.ofGrpc(13, false)).isEqualTo(HonestOutcome.ERROR);
    }
}
