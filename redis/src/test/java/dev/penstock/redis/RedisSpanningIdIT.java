package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.server.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Asks with the same id that span slots and are in flight at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSpanningIdIT {
    private static final LimitSettings TERMS =
            LimitSettings.of("spanning", Limit.tokenBucket(10, Duration.ofDays(300)));
    private static final KeyNames NAMES = new KeyNames("p1");

    private final RedisCluster cluster = RedisCluster.start();
    private final RedisEngine engine = RedisEngine.builder(
                    "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port())
            .build();

    @AfterAll
    void stop() {
        engine.close();
        cluster.close();
    }

    @Test
    void deniedAskOvertakenByItsRepeat_keepsTheRepeatsHold() {
        Charge here = charge("here");
        Charge there = charge("there");
        Ask ask = Ask.of(here, there).id("one request");
        decide(Ask.of(Charge.of(TERMS, there.key(), 10)));
        Later first = new Later();

        assertThat(first.answer(ask).isAllowed()).isFalse();
        reset(there);
        assertThat(decide(ask).isAllowed()).isTrue();
        first.giveBackNow();

        assertThat(remaining(here)).isEqualTo(9);
        assertThat(remaining(there)).isEqualTo(9);
    }

    @Test
    void deniedAsk_givesBackItsHolds() {
        Charge here = charge("mine");
        Charge there = charge("full");
        decide(Ask.of(Charge.of(TERMS, there.key(), 10)));

        assertThat(decide(Ask.of(here, there).id("another request")).isAllowed())
                .isFalse();

        await().untilAsserted(() -> assertThat(remaining(here)).isEqualTo(10));
    }

    @Test
    void deniedRetry_keepsTheAllowedCharge() {
        Charge here = charge("kept");
        Charge there = charge("lost");
        Ask ask = Ask.of(here, there).id("a third request");
        assertThat(decide(ask).isAllowed()).isTrue();
        reset(there);
        cluster.ownerOf(Slots.of(NAMES.state(there)))
                .command("DEL", NAMES.request("a third request rates", Slots.of(NAMES.state(there))));
        decide(Ask.of(Charge.of(TERMS, there.key(), 10)));
        Later retry = new Later();

        assertThat(retry.answer(ask).isAllowed()).isFalse();
        retry.giveBackNow();

        assertThat(remaining(here)).isEqualTo(9);
    }

    @Test
    void deniedRetry_afterTheAnswerIsForgotten_keepsTheAllowedCharge() {
        Charge here = charge("forgotten");
        Charge there = charge("gone");
        Ask ask = Ask.of(here, there).id("a fourth request");
        assertThat(decide(ask).isAllowed()).isTrue();
        reset(there);
        forget("a fourth request", there);
        decide(Ask.of(Charge.of(TERMS, there.key(), 10)));
        Later retry = new Later();

        assertThat(retry.answer(ask).isAllowed()).isFalse();
        forget("a fourth request", here);
        retry.giveBackNow();

        assertThat(remaining(here)).isEqualTo(9);
    }

    private void forget(String id, Charge charge) {
        int slot = Slots.of(NAMES.state(charge));
        assertThat(cluster.ownerOf(slot).command("DEL", NAMES.request(id + " rates", slot)))
                .isEqualTo("1");
    }

    private static Charge charge(String key) {
        return Charge.of(TERMS, Key.of("spanning", key), 1);
    }

    private Decision decide(Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }

    private void reset(Charge charge) {
        var unused =
                engine.reset(Ask.of(charge)).whenReady().toCompletableFuture().join();
    }

    private long remaining(Charge charge) {
        return decide(Ask.of(charge).peek()).limits().get(0).remaining();
    }

    /** Gives back only when the test says so. */
    private final class Later implements SpanningAsk.Store {
        private final SlotStore slots = engine.inSlots();
        private final List<Supplier<CompletionStage<Settlement>>> back = new ArrayList<>();

        Decision answer(Ask ask) {
            return new SpanningAsk(ask, NAMES, Duration.ofMinutes(1), this)
                    .decide()
                    .toCompletableFuture()
                    .join();
        }

        @Override
        public CompletionStage<StoreAnswer> decide(Ask part) {
            return slots.decide(part);
        }

        @Override
        public void settle(PermitHandle grant) {
            slots.settle(grant);
        }

        @Override
        public void giveBack(PermitHandle grant, Costs nothing) {
            back.add(() -> slots.permits().giveBack(grant.id(), nothing));
        }

        void giveBackNow() {
            assertThat(back).isNotEmpty();
            back.forEach(each -> each.get().toCompletableFuture().join());
        }
    }
}
