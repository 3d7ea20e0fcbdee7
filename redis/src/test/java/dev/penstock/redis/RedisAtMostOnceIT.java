package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An ask that is in flight when the connection breaks is charged once or not at all, because the client does not send
 * it again after reconnecting. Redis itself reports how many scripts it ran. A second client, with its own connection,
 * reports how much was charged.
 */
class RedisAtMostOnceIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration FOREVER = Duration.ofDays(300);
    private static final int LIMIT = 100_000;
    private static final int ASKS = 100;
    private static final int MANY = 1_000;
    private static final int ROUNDS = 30;
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

    /** How asks are sent. */
    enum Way {
        TOGETHER,
        ALONE;

        Charge charge() {
            Limit limit = this == TOGETHER ? Limit.fixedWindow(LIMIT, FOREVER) : Limit.slidingLog(LIMIT, FOREVER);
            return Charge.of(LimitSettings.of("p", limit), Key.of("p", "ann"), 1);
        }

        /** Returns how many scripts are sent at once. More would wait. */
        int mostAtOnce() {
            return this == TOGETHER ? 2 : ASKS;
        }
    }

    private final ManualClock clock = new ManualClock();
    private RedisServer redis;
    private FaultProxy proxy;
    private RedisEngine engine;
    private RedisEngine operator;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        proxy = FaultProxy.to(redis.port());
        engine = RedisEngine.builder("redis://127.0.0.1:" + proxy.port())
                .countBy(clock)
                .build();
        operator = RedisEngine.builder(redis.uri()).countBy(clock).build();
    }

    @AfterEach
    void stop() {
        engine.close();
        operator.close();
        proxy.close();
        redis.close();
    }

    /** The worst case for a client that would send again: Redis has charged all asks, but no reply arrived. */
    @ParameterizedTest
    @EnumSource
    void repliesLost_thenReconnected_everyAskIsChargedExactlyOnce(Way way) {
        peekUntilAnswered(way); // scripts are known from now on
        redis.command("CONFIG", "RESETSTAT");

        proxy.dropReplies();
        List<CompletableFuture<Decision>> lost = ask(way, way.mostAtOnce());
        Awaitility.await().atMost(PATIENCE).until(() -> scriptsRun() == way.mostAtOnce());
        proxy.heal();

        assertThat(admitted(lost)).as("answers that came from nowhere").isZero();
        redis.command("CONFIG", "RESETSTAT");
        peekUntilAnswered(way);
        assertThat(scriptsRun()).as("the peek, and nothing else").isEqualTo(1);
        assertThat(charged(way)).isEqualTo(way.mostAtOnce());
    }

    /** The other worst case: none of the asks arrived, and nobody waits for them any longer. */
    @ParameterizedTest
    @EnumSource
    void requestsLost_thenReconnected_nothingIsCharged(Way way) {
        peekUntilAnswered(way);

        proxy.halfOpen();
        List<CompletableFuture<Decision>> lost = ask(way, way.mostAtOnce());
        proxy.cut();
        proxy.heal();

        assertThat(admitted(lost)).isZero();
        peekUntilAnswered(way);
        assertThat(charged(way)).isZero();
    }

    /**
     * Cuts the connection repeatedly while asks are being sent. Every caller is answered before the client reconnects,
     * and nothing is kept to be sent on the next connection.
     */
    @ParameterizedTest
    @EnumSource
    void cutInFlight_isChargedAtMostOnce(Way way) {
        long admitted = 0;
        long failed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            peekUntilAnswered(way);
            CompletableFuture<Decision> first = ask(way, 1).get(0);
            CompletableFuture<List<CompletableFuture<Decision>>> asking =
                    CompletableFuture.supplyAsync(() -> ask(way, MANY));
            admitted += admitted(List.of(first));
            proxy.cut();
            long got = admitted(asking.join());
            proxy.heal();
            admitted += got;
            failed += MANY - got;
        }
        peekUntilAnswered(way);
        long charged = charged(way);
        System.out.printf(
                "cut %d times, %s: admitted %d, failed %d, charged %d%n", ROUNDS, way, admitted, failed, charged);
        assertThat(failed).as("asks in flight during a cut").isPositive();
        assertThat(charged).isBetween(admitted, admitted + failed);
    }

    private List<CompletableFuture<Decision>> ask(Way way, int asks) {
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        for (int i = 0; i < asks; i++) {
            underway.add(engine.decide(Ask.of(way.charge())).whenReady().toCompletableFuture());
        }
        return underway;
    }

    /** Returns how many asks were allowed, when all are answered. The others failed. */
    private static long admitted(List<CompletableFuture<Decision>> underway) {
        List<CompletableFuture<Boolean>> allowed = underway.stream()
                .map(answer -> answer.handle((decision, failure) -> failure == null && decision.isAllowed()))
                .toList();
        assertThat(CompletableFuture.allOf(allowed.toArray(CompletableFuture[]::new)))
                .as("every caller is answered")
                .succeedsWithin(PATIENCE);
        return allowed.stream().filter(CompletableFuture::join).count();
    }

    /** Waits until the engine is connected. Commands that a connection sends by itself are done by then. */
    private void peekUntilAnswered(Way way) {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> engine.decide(Ask.of(way.charge()).peek())
                        .whenReady()
                        .toCompletableFuture()
                        .handle((decision, failure) -> failure == null)
                        .join());
    }

    private long charged(Way way) {
        return LIMIT
                - operator.inspect(way.charge())
                        .toCompletableFuture()
                        .join()
                        .status()
                        .remaining();
    }

    private long scriptsRun() {
        return SCRIPTS.matcher(redis.command("INFO", "commandstats"))
                .results()
                .map(MatchResult::group)
                .mapToLong(text -> Long.parseLong(text.substring(text.indexOf('=') + 1)))
                .sum();
    }
}
