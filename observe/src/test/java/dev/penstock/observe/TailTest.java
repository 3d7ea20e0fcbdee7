package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.observe.Tail.Follower;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TailTest {
    private final Tail tail = new Tail(PolicyLabels.NONE, null);
    private final Limiter limiter = Limiter.builder(
                    Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user")))
            .listener(tail)
            .build();

    @AfterEach
    void close() {
        limiter.close();
    }

    private void ask(String user, int times) {
        for (int i = 0; i < times; i++) {
            limiter.decide(Request.of("user", user));
        }
    }

    @Test
    void followers_receiveSelectedDecisions_fromThenOn() {
        ask("before", 1);
        try (Follower all = tail.follow((request, decision) -> true);
                Follower denials = tail.follow((request, decision) -> !decision.isAllowed())) {
            ask("ann", 2);

            assertThat(all.next(10)).hasSize(2).allMatch(line -> line.contains("\"key\":[\"ann\"]"));
            assertThat(all.next(10)).isEmpty();
            assertThat(denials.next(10)).singleElement().asString().contains("\"outcome\":\"denied\"");
        }
    }

    @Test
    void closedFollower_receivesNothing() {
        Follower follower = tail.follow((request, decision) -> true);
        follower.close();
        ask("ann", 1);

        assertThat(follower.next(10)).isEmpty();
    }

    @Test
    void excessDecisions_areDroppedAndCounted() {
        try (Follower follower = tail.follow((request, decision) -> true)) {
            ask("ann", 2_000);

            assertThat(follower.next(10_000)).hasSize(1_024);
            assertThat(follower.dropped()).isEqualTo(976);
        }
    }

    @Test
    void followers_areBounded() {
        for (int i = 0; i < Tail.MOST; i++) {
            tail.follow((request, decision) -> true);
        }

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tail.follow((request, decision) -> true))
                .withMessageContaining("fewer than 16 at one time");
    }
}
