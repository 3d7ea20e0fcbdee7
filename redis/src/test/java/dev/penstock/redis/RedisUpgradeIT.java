package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A rolling upgrade: nodes of two builds use one Redis at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisUpgradeIT {
    private static final int TRACES = 20;
    private static final int LIMIT = 500;
    private static final String OF_THE_FUTURE = "\u007fwritten by a version to come";

    private final RedisTraces traces = new RedisTraces(RedisServer.start());
    private final RedisServer redis = traces.server;

    @AfterAll
    void stop() {
        traces.close();
    }

    @ParameterizedTest
    @EnumSource
    void twoBuildsTakingTurns_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        traces.run(
                "by two builds",
                flavor,
                TRACES,
                node -> new TakingTurns(node.get().build(), next(node.get()).build()));
    }

    @Test
    void twoBuildsAtOnce_admitExactlyTheLimit() {
        redis.command("SCRIPT", "FLUSH");
        LimitSettings bucket = LimitSettings.of("both", Limit.tokenBucket(LIMIT, Duration.ofDays(300)));
        LimitSettings log = LimitSettings.of("both", Limit.slidingLog(LIMIT, Duration.ofDays(300)));
        try (RedisEngine before = old().build();
                RedisEngine after = next().build()) {
            List<CompletableFuture<Decision>> underway = new ArrayList<>();
            for (int i = 0; i < 4 * LIMIT; i++) {
                RedisEngine node = i % 2 == 0 ? before : after;
                Charge charge = charge(i % 4 < 2 ? bucket : log, "everyone");
                underway.add(node.decide(Ask.of(charge).orTimeout(Duration.ofMinutes(1)))
                        .whenReady()
                        .toCompletableFuture());
            }
            assertThat(underway.stream().filter(each -> each.join().isAllowed()))
                    .hasSize(2 * LIMIT);
            assertThat(redis.command("INFO", "memory"))
                    .as("scripts of each build for one request, for batches and for everything else")
                    .containsPattern("number_of_cached_scripts:[678]");
        }
    }

    @Test
    void permitOfOneBuild_isSettledByTheOther() {
        LimitSettings settings = LimitSettings.of("permits", Limit.tokenBucket(10, Duration.ofDays(300)));
        try (RedisEngine before = old().build();
                RedisEngine after = next().build()) {
            Ask ask = Ask.of(charge(settings, "ann", 5))
                    .hold(Hold.of(Duration.ofMinutes(1)))
                    .id("request");
            PermitHandle grant = Objects.requireNonNull(((Allowed) decide(before, ask)).permitHandle());
            assertThat(((Allowed) decide(after, ask)).permitHandle()).isEqualTo(grant);
            assertThat(await(after.settle(grant.id(), Costs.of("requests", 2))))
                    .isEqualTo(await(before.settle(grant.id(), Costs.of("requests", 2))));
            assertThat(remaining(before, charge(settings, "ann"))).isEqualTo(8);
            assertThat(remaining(after, charge(settings, "ann"))).isEqualTo(8);
        }
    }

    /** The cost of a format that old nodes cannot read: until all nodes are new, each kind has the whole limit. */
    @Test
    void otherVersionOfTheFormat_countsSeparately() {
        LimitSettings settings = LimitSettings.of("format", Limit.tokenBucket(10, Duration.ofDays(300)));
        try (RedisEngine before = old().build();
                RedisEngine after = next().format("2").build()) {
            int allowed = 0;
            for (int i = 0; i < 40; i++) {
                allowed += decide(i % 2 == 0 ? before : after, Ask.of(charge(settings, "ann")))
                                .isAllowed()
                        ? 1
                        : 0;
            }
            assertThat(allowed).isEqualTo(2 * 10);
            assertThat(redis.command("EXISTS", new KeyNames("p2").state(charge(settings, "ann"))))
                    .isEqualTo("1");
            Ask held = Ask.of(charge(settings, "bob", 5)).hold(Hold.of(Duration.ofMinutes(1)));
            PermitHandle grant = Objects.requireNonNull(((Allowed) decide(before, held)).permitHandle());
            assertThat(await(after.settle(grant.id(), null)).status()).isEqualTo(Settlement.Status.UNKNOWN);
            assertThat(await(before.settle(grant.id(), null)).status()).isEqualTo(Settlement.Status.SETTLED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_THE_FUTURE, "", "1234e56789012345678", "12345678901234567890"})
    void stateOfALaterVersion_isRejectedAndUnchanged(String state) {
        LimitSettings settings = LimitSettings.of("future", Limit.tokenBucket(10, Duration.ofDays(300)));
        Charge future = charge(settings, "ann " + state);
        Charge fine = charge(settings, "bob " + state);
        String key = new KeyNames("p1").state(future);
        redis.command("SET", key, state, "PX", "3600000");
        try (RedisEngine engine = old().build()) {
            Ask alone = Ask.of(future);
            Ask both = Ask.of(fine, future);
            Hold hold = Hold.of(Duration.ofMinutes(1));
            for (Ask ask : List.of(alone, both, alone.peek(), alone.hold(hold), both.hold(hold))) {
                assertThatThrownBy(() -> decide(engine, ask))
                        .hasMessageContaining("FOREIGNVALUE " + key + " was not written by a version");
            }
            assertThat(remaining(engine, fine)).isEqualTo(10);
            List<CompletableFuture<Decision>> underway = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Charge charge = i % 2 == 0 ? future : fine;
                underway.add(engine.decide(Ask.of(charge).orTimeout(Duration.ofMinutes(1)))
                        .whenReady()
                        .toCompletableFuture());
            }
            for (int i = 0; i < 100; i++) {
                assertThat(underway.get(i)
                                .handle((decision, failure) -> failure != null)
                                .join())
                        .as("a state affects only its own asks")
                        .isEqualTo(i % 2 == 0);
            }
            assertThat(redis.command("GET", key)).isEqualTo(state);
        }
    }

    @Test
    void stateOfALaterVersion_permitIsNotSettled() {
        Charge charge = charge(LimitSettings.of("future", Limit.tokenBucket(10, Duration.ofDays(300))), "permit");
        String key = new KeyNames("p1").state(charge);
        try (RedisEngine engine = old().build()) {
            Ask held = Ask.of(charge).hold(Hold.of(Duration.ofMinutes(1)));
            PermitHandle grant = Objects.requireNonNull(((Allowed) decide(engine, held)).permitHandle());
            redis.command("SET", key, OF_THE_FUTURE, "PX", "3600000");
            assertThatThrownBy(() -> await(engine.settle(grant.id(), null))).hasMessageContaining("FOREIGNVALUE");
            assertThat(redis.command("GET", key)).isEqualTo(OF_THE_FUTURE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stateOfALaterVersion_failureModeAnswers(FailureMode mode) {
        LimitSettings settings = LimitSettings.of("mode", Limit.tokenBucket(10, Duration.ofDays(300)))
                .onStoreFailure(mode);
        Charge charge = charge(settings, "ann " + mode);
        redis.command("SET", new KeyNames("p1").state(charge), OF_THE_FUTURE, "PX", "3600000");
        try (Guard guard =
                Guard.builder(old().build()).deadline(Duration.ofSeconds(10)).build()) {
            Decision decision = decide(guard, Ask.of(charge));
            assertThat(decision.decidedBy()).isEqualTo(DecidedBy.FALLBACK);
            assertThat(decision.isAllowed()).isEqualTo(mode != FailureMode.CLOSED);
        }
    }

    private RedisEngine.Builder old() {
        return traces.node();
    }

    private RedisEngine.Builder next() {
        return next(traces.node());
    }

    private static RedisEngine.Builder next(RedisEngine.Builder node) {
        return node.edition(text -> text.replace("now, SPARE_MS", "now , SPARE_MS"));
    }

    private static Charge charge(LimitSettings settings, String key) {
        return charge(settings, key, 1);
    }

    private static Charge charge(LimitSettings settings, String key, long cost) {
        return Charge.of(settings, Key.of(settings.policy(), key), cost);
    }

    private static long remaining(RedisEngine engine, Charge charge) {
        return decide(engine, Ask.of(charge).peek()).limits().get(0).remaining();
    }

    private static Decision decide(Engine engine, Ask ask) {
        return await(engine.decide(ask));
    }

    private static <T> T await(Reply<T> reply) {
        T ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().join();
    }

    /** Two nodes behind a load balancer: each call goes to the node that did not get the last one. */
    private static final class TakingTurns implements Engine {
        private final RedisEngine before;
        private final RedisEngine after;
        private boolean turn;

        TakingTurns(RedisEngine before, RedisEngine after) {
            this.before = before;
            this.after = after;
        }

        private RedisEngine other() {
            turn = !turn;
            return turn ? before : after;
        }

        @Override
        public String name() {
            return before.name();
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            return other().decide(ask);
        }

        @Override
        public Reply<Settlement> settle(String permitId, Costs actual) {
            return other().settle(permitId, actual);
        }

        @Override
        public Reply<Settlement> renew(String permitId) {
            return other().renew(permitId);
        }

        @Override
        public Reply<Completion> reset(Ask ask) {
            return other().reset(ask);
        }

        @Override
        public Reply<Completion> resetCounters(Set<String> counters) {
            return other().resetCounters(counters);
        }

        @Override
        public void close() {
            before.close();
            after.close();
        }
    }
}
