package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Ask;
import dev.penstock.spi.NotCharged;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class UnbatchedAsksTest {
    private static final int MOST = UnbatchedAsks.MOST_UNDER_WAY;

    private final ManualClock clock = new ManualClock();
    private final UnbatchedAsks asks = new UnbatchedAsks(clock);
    private final List<CompletableFuture<String>> sent = new ArrayList<>();

    private CompletionStage<String> send() {
        return asks.send(Ask.of().orTimeout(Duration.ofSeconds(1)), () -> {
            CompletableFuture<String> reply = new CompletableFuture<>();
            sent.add(reply);
            return reply;
        });
    }

    private List<CompletionStage<String>> send(int count) {
        List<CompletionStage<String>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(send());
        }
        return all;
    }

    @Test
    void send_tooManyInFlight_waitInOrder() {
        List<CompletionStage<String>> answers = send(MOST + 2);
        assertThat(sent).hasSize(MOST);
        sent.get(5).complete("fifth");
        assertThat(sent).hasSize(MOST + 1);
        sent.get(MOST).completeExceptionally(new IllegalStateException("broken"));
        assertThat(sent).hasSize(MOST + 2);
        sent.get(MOST + 1).complete("last");

        assertThat(answers.get(5).toCompletableFuture()).isCompletedWithValue("fifth");
        assertThat(answers.get(MOST).toCompletableFuture()).isCompletedExceptionally();
        assertThat(answers.get(MOST + 1).toCompletableFuture()).isCompletedWithValue("last");
    }

    @Test
    void waiting_overdue_isNotSent() {
        List<CompletionStage<String>> answers = send(MOST + 1);
        clock.advance(Duration.ofSeconds(2));
        CompletionStage<String> fresh = send();
        sent.get(0).complete("first");

        assertThat(sent).hasSize(MOST + 1);
        sent.get(MOST).complete("fresh");
        assertThat(fresh.toCompletableFuture()).isCompletedWithValue("fresh");
        assertThat(answers.get(MOST).toCompletableFuture()).isCompletedExceptionally();
        answers.get(MOST)
                .whenComplete((unused, failure) ->
                        assertThat(NotCharged.reasonOf(failure)).isEqualTo(NotCharged.Reason.OVERDUE));
    }

    /** Imitates a broken connection: each ask fails before it is sent. */
    @Test
    void thousandsThatFailAtOnce_doNotOverflowTheStack() {
        send(MOST);
        List<CompletionStage<String>> doomed = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            doomed.add(asks.send(Ask.of(), () -> CompletableFuture.failedStage(new IllegalStateException("gone"))));
        }
        sent.get(0).complete("first");

        assertThat(doomed).allMatch(each -> each.toCompletableFuture().isCompletedExceptionally());
        sent.get(1).complete("second");
        assertThat(send(2)).hasSize(2);
        assertThat(sent).hasSize(MOST + 2);
    }
}
