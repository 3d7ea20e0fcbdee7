package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.load.LoadRate;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All contenders must give the same answers to the same requests. Otherwise measurements would compare different
 * things.
 */
class DecidersIT {
    private static final RedisServer REDIS = RedisServer.start();

    /** Nothing is refilled while a test runs, even on a slow machine. */
    private static final LoadRate SLOW = new LoadRate(3, Duration.ofDays(1));

    private static final BenchAccount USER = new BenchAccount("user", SLOW, "user-", 7, 10, 1);
    private static final BenchAccount TENANT =
            new BenchAccount("tenant", new LoadRate(2, Duration.ofDays(1)), "tenant-", 4, 5, 1);

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    @BeforeEach
    void empty() {
        REDIS.command("FLUSHALL");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                Deciders.PENSTOCK,
                Deciders.BUCKET4J,
                Deciders.BUCKET4J_BATCHING,
                Deciders.REDISSON,
                Deciders.SPRING,
                Deciders.PLAIN,
                Deciders.PLAIN_PIPELINED,
                Deciders.HASH
            })
    void slowRate_everyContenderAllowsOnlyItsPermits(String contender) {
        try (Decider decider = Deciders.open(contender, REDIS.uri(), List.of(USER))) {
            List<Boolean> answers = new ArrayList<>();
            answers.add(answer(decider, decider.decideFirst(List.of("user-0000001"))));
            for (int i = 0; i < 3; i++) {
                answers.add(answer(decider, decider.decide(List.of("user-0000001"))));
            }
            answers.add(answer(decider, decider.decideFirst(List.of("user-0000002"))));

            assertThat(answers).containsExactly(true, true, true, false, true);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Deciders.PENSTOCK, Deciders.THREE_PLAIN, Deciders.THREE_HASH})
    void stackedLimits_theScarcestDecides(String contender) {
        try (Decider decider = Deciders.open(contender, REDIS.uri(), List.of(USER, TENANT))) {
            List<Boolean> answers = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                answers.add(answer(decider, decider.decide(List.of("user-000000" + i, "tenant-0001"))));
            }

            assertThat(answers).containsExactly(true, true, false);
        }
    }

    @Test
    void increments_neverLimit() {
        try (Decider decider = Deciders.open(Deciders.INCR, REDIS.uri(), List.of(USER))) {
            for (int i = 0; i < 5; i++) {
                assertThat(answer(decider, decider.decide(List.of("user-0000001"))))
                        .isTrue();
            }
        }
    }

    private static boolean answer(Decider decider, CompletionStage<Boolean> stage) {
        decider.flush();
        return stage.toCompletableFuture().join();
    }
}
