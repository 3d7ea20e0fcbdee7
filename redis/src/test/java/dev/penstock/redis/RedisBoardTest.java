package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.Expect;
import dev.penstock.spi.Board;
import dev.penstock.testkit.BoardContract;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisBoardTest extends BoardContract {
    private final RedisServer redis = RedisServer.start();
    private final RedisEngine node = RedisEngine.at(redis.uri()).build();
    private final RedisEngine other = RedisEngine.at(redis.uri()).build();

    @BeforeEach
    void empty() {
        redis.command("FLUSHALL");
    }

    @AfterAll
    void stop() {
        node.close();
        other.close();
        redis.close();
    }

    @Override
    protected Board board() {
        return Expect.present(node.fleet().board("tests"), "board");
    }

    @Override
    protected Board ofAnotherNode() {
        return Expect.present(other.fleet().board("tests"), "board");
    }

    @Test
    void board_livesALittleLongerThanItsLastNote() {
        board().post(new Board.Note("a", "", Duration.ofMinutes(10)))
                .toCompletableFuture()
                .join();
        board().post(new Board.Note("b", "", Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();

        assertThat(Long.parseLong(redis.command("PTTL", "p1:{fleet}board:tests")))
                .isBetween(540_000L, 601_000L);
    }
}
