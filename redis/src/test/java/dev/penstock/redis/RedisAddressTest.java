package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisAddressTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "localhost:6379 | uri.scheme: missing",
                "http://localhost | uri.scheme: http",
                "redis://:6379 | uri.host: \"\"",
                "redis://localhost:99999 | uri.port: 99999",
                "redis://localhost:port | uri.port: unreadable",
                "redis://localhost:6379/first | uri.database: first",
                "redis-sentinel://localhost:26379 | uri.fragment: missing",
                "redis-cluster://a:1,:2 | uri.host: \"\"",
                "redis-cluster://a:1,b:0 | uri.port: 0",
            })
    void of_wrongPart_isReported(String uri, String message) {
        assertThatThrownBy(() -> RedisAddress.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message + " (expected: ");
    }

    @Test
    void of_unreadable_neverShowsThePassword() {
        assertThatThrownBy(() -> RedisAddress.of("redis://user:se cret@localhost:6379"))
                .hasMessageStartingWith("uri: unreadable")
                .hasMessageNotContaining("cret");
        assertThat(RedisAddress.of("redis://user:secret@localhost:6379/2").toString())
                .isEqualTo("localhost:6379");
    }

    @Test
    void of_cluster_knowsEveryNodeWithTheSameUser() {
        RedisAddress address = RedisAddress.of("redis-cluster://user:secret@a:1,b:2");
        assertThat(address.kind()).isEqualTo(RedisAddress.Kind.CLUSTER);
        assertThat(address.uris())
                .hasSize(2)
                .allSatisfy(uri -> assertThat(uri.getCredentialsProvider()).isNotNull());
        assertThat(address.toString()).isEqualTo("a:1,b:2");
    }

    @Test
    void build_noRedis_reportsItInOneLine() {
        assertThatThrownBy(() -> RedisEngine.builder("redis://127.0.0.1:1").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("redis at 127.0.0.1:1: ")
                .hasMessageEndingWith("(expected: a Redis that answers)")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }
}
