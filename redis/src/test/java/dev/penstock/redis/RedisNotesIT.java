package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.Expect;
import dev.penstock.spi.SharedNotes;
import dev.penstock.testkit.SharedNotesContract;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisNotesIT extends SharedNotesContract {
    private final RedisServer redis = RedisServer.start();
    private final RedisEngine node = RedisEngine.builder(redis.uri()).build();
    private final RedisEngine other = RedisEngine.builder(redis.uri()).build();

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
    protected SharedNotes board() {
        return Expect.present(node.fleet().notes("tests"), "board");
    }

    @Override
    protected SharedNotes ofAnotherNode() {
        return Expect.present(other.fleet().notes("tests"), "board");
    }

    @Test
    void posting_readsNothing() {
        done(board().post(note("first")));
        redis.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < 20; i++) {
            done(board().post(note("node-" + i)));
            done(board().post(note("node-" + i)));
        }
        done(board().remove("node-7"));
        assertThat(reads()).isZero();
        assertThat(done(board().read())).hasSize(20);
    }

    @Test
    void reading_copiesOnlyWhatHasChanged() {
        SharedNotes mine = board();
        SharedNotes others = ofAnotherNode();
        done(mine.post(note("a")));
        done(mine.read());
        redis.command("CONFIG", "RESETSTAT");
        for (int i = 0; i < 20; i++) {
            assertThat(done(mine.read())).hasSize(1);
        }
        assertThat(reads()).isZero();

        done(others.post(note("b")));
        assertThat(done(mine.read())).hasSize(2);
        done(others.remove("a"));
        assertThat(done(mine.read())).extracting(SharedNotes.Note::name).containsExactly("b");
        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void versionLost_isReadAgain() {
        SharedNotes mine = board();
        done(mine.post(note("a")));
        done(mine.read());
        redis.command("DEL", "p1:{fleet}board:tests:version");
        done(ofAnotherNode().post(note("b")));
        assertThat(done(mine.read())).hasSize(2);
    }

    private static SharedNotes.Note note(String name) {
        return new SharedNotes.Note(name, "text", Duration.ofMinutes(1));
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private long reads() {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_hgetall:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void notes_expireSoonAfterTheLastNote() {
        board().post(new SharedNotes.Note("a", "", Duration.ofMinutes(10)))
                .toCompletableFuture()
                .join();
        board().post(new SharedNotes.Note("b", "", Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();

        assertThat(Long.parseLong(redis.command("PTTL", "p1:{fleet}board:tests")))
                .isBetween(540_000L, 601_000L);
    }
}
