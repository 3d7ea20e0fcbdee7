package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicaWarningsTest {
    @Test
    void primaryWithTooFewReplicas_isNamedWithThePolicy() {
        assertThat(ReplicaWarnings.of(Map.of("login", 1), Map.of("a:6379", 0, "b:6379", 1)))
                .containsExactly("policy login: replicas: 1 (expected: at most 0, which redis at a:6379 has);"
                        + " until it has more, on_store_failure decides requests that this policy would allow");
    }

    @Test
    void noPolicyWaits_orNothingIsKnown_noWarning() {
        assertThat(ReplicaWarnings.of(Map.of(), Map.of("a:6379", 0))).isEmpty();
        assertThat(ReplicaWarnings.of(Map.of("login", 1), Map.of())).isEmpty();
    }
}
