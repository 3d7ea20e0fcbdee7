package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The clock of Redis steps by an hour, ahead and back, between rounds in which several nodes request as much as they
 * can get. The scripts are the production ones, except that the line that reads the clock uses the test's clock.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisClockStepIT {
    private static final int NODES = 3;
    private static final int LIMIT = 100;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofSeconds(5);
    private static final int WINDOWS = 10;

    /**
     * @param lockOut the longest time after the clock was set back during which nobody is admitted, by
     *     docs/architecture.md
     */
    record Case(Limit limit, Duration lockOut) {
        @Override
        public String toString() {
            return limit.toString();
        }
    }

    static Stream<Case> limits() {
        Limit bucket = Limit.tokenBucket(LIMIT, WINDOW);
        Limit leaky = Limit.leakyBucket(LIMIT, WINDOW, LIMIT);
        return Stream.of(
                new Case(bucket, ofDebt(bucket)),
                new Case(leaky, ofDebt(leaky)),
                new Case(Limit.fixedWindow(LIMIT, WINDOW), WINDOW.multipliedBy(2)),
                new Case(Limit.slidingWindow(LIMIT, WINDOW), WINDOW.multipliedBy(2)),
                new Case(Limit.slidingLog(LIMIT, WINDOW), WINDOW),
                new Case(Limit.concurrency(LIMIT, WINDOW), WINDOW));
    }

    private static Duration ofDebt(Limit limit) {
        return WINDOW.multipliedBy(LIMIT + limit.maxDebt()).dividedBy(LIMIT);
    }

    private final RedisServer redis = RedisServer.start();
    private final ClientResources resources = ClientResources.create();
    private final ManualClock clock = new ManualClock();
    private final List<RedisEngine> nodes = new ArrayList<>();

    @BeforeEach
    void open() {
        redis.command("FLUSHALL");
        for (int i = 0; i < NODES; i++) {
            nodes.add(RedisEngine.builder(redis.uri())
                    .resources(resources)
                    .countBy(clock)
                    .build());
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(RedisEngine::close);
        nodes.clear();
    }

    @AfterAll
    void stop() {
        resources.shutdown().awaitUninterruptibly();
        redis.close();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void steppedByAnHour_admitsNoMoreThanTheElapsedTimeGives_andRecoversSoon(Case of) {
        Ask ask = Ask.of(Charge.of(LimitSettings.of("step", of.limit), Key.of("step", "everyone"), 1));
        assertThat(admitted(ask, 2 * LIMIT)).as("at first").isEqualTo(LIMIT);
        assertThat(admitted(ask, LIMIT)).as("at first, again").isZero();

        clock.advance(HOUR);
        assertThat(admitted(ask, 2 * LIMIT)).as("an hour ahead: all came back").isEqualTo(LIMIT);
        assertThat(admitted(ask, LIMIT)).as("an hour ahead, again").isZero();

        clock.advance(HOUR.negated());
        assertThat(admitted(ask, 2 * LIMIT)).as("set back: no burst").isZero();
        Duration firstAfter = null;
        long sum = 0;
        for (Duration since = STEP; since.compareTo(WINDOW.multipliedBy(WINDOWS)) <= 0; since = since.plus(STEP)) {
            clock.advance(STEP);
            long now = admitted(ask, LIMIT);
            firstAfter = firstAfter == null && now > 0 ? since : firstAfter;
            sum += now;
        }
        System.out.printf(
                "%-14s admitted %5d in %d windows, the first after %s%n",
                of.limit.algorithm().word(), sum, WINDOWS, firstAfter);
        assertThat(firstAfter).as("locked out").isNotNull().isLessThanOrEqualTo(of.lockOut.plus(STEP));
        assertThat(sum).isLessThanOrEqualTo((long) LIMIT * WINDOWS);
        long lost = (of.lockOut.toSeconds() / WINDOW.toSeconds() + 1) * LIMIT;
        assertThat(sum).as("served again").isGreaterThanOrEqualTo((long) LIMIT * WINDOWS - lost);
    }

    /** Sends this many asks at the same time, from all nodes, and returns how many are allowed. */
    private long admitted(Ask ask, int asks) {
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        for (int i = 0; i < asks; i++) {
            underway.add(nodes.get(i % NODES)
                    .decide(ask.orTimeout(Duration.ofMinutes(1)))
                    .whenReady()
                    .toCompletableFuture());
        }
        return underway.stream().filter(each -> each.join().isAllowed()).count();
    }
}
