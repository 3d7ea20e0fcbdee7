package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodesTest {
    @Test
    void parse_whatWasWritten_isTheSame() {
        Nodes one = new Nodes(List.of(7_000));
        Nodes three = new Nodes(List.of(7_001, 7_002, 7_003));

        assertThat(Nodes.parse(one.toString())).isEqualTo(one);
        assertThat(Nodes.parse(three.toString())).isEqualTo(three);
    }

    @Test
    void uri_ofSeveral_isACluster() {
        assertThat(new Nodes(List.of(7_000)).uri()).isEqualTo("redis://127.0.0.1:7000");
        assertThat(new Nodes(List.of(7_001, 7_002)).uri()).isEqualTo("redis-cluster://127.0.0.1:7001,127.0.0.1:7002");
        assertThat(new Nodes(List.of(7_001, 7_002)).eachUri())
                .containsExactly("redis://127.0.0.1:7001", "redis://127.0.0.1:7002");
    }
}
