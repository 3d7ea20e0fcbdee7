package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When callers have used up the room for permits, local limits still decide requests that get no permit. */
class LocalFirstReservationTest {
    private static final int MAX_PERMITS = 10;
    private static final Limit BUCKET = Limit.tokenBucket(5, Duration.ofSeconds(1));
    private static final Limit HOURLY = Limit.fixedWindow(5, Duration.ofHours(1));
    private static final Limit DAILY = Limit.fixedWindow(3, Duration.ofDays(1));
    private static final Hold FOR_AN_HOUR = Hold.of(Duration.ofHours(1));

    private final ManualClock clock = new ManualClock();
    private final LateEngine store =
            new LateEngine(MemoryEngine.builder().clock(clock).build());
    private final LocalFirst engine =
            LocalFirst.builder(store).clock(clock).maxKeys(MAX_PERMITS).build();

    private static Charge here(Limit limit, String who, long cost) {
        return Charge.of(
                LimitSettings.of("policy", limit).place(LimitSettings.Place.LOCAL), Key.of("counter", who), cost);
    }

    private static Charge there(Limit limit, String who, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("counter", who), cost);
    }

    private static Decision now(Reply<Decision> reply) {
        Decision ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().join();
    }

    private Decision decide(Ask ask) {
        Reply<Decision> reply = engine.decide(ask);
        store.settleDown();
        return now(reply);
    }

    private LimitStatus status(Limit limit) {
        return now(engine.decide(Ask.of(here(limit, "ann", 0)).peek())).limits().get(0);
    }

    @BeforeEach
    void callersHoldEveryPermitThereIs() {
        for (int i = 0; i < MAX_PERMITS; i++) {
            Ask held = Ask.of(here(BUCKET, "caller " + i, 0)).hold(FOR_AN_HOUR);
            assertThat(decide(held).isAllowed()).isTrue();
        }
    }

    @Test
    void decide_requestWithoutPermit_isDecided() {
        Decision allowed = decide(Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 3)));

        assertThat(allowed.isAllowed()).isTrue();
        assertThat(allowed.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(allowed.limits()).extracting(LimitStatus::remaining).containsExactly(3L, 0L);
        assertThat(status(BUCKET).remaining()).isEqualTo(3);
    }

    @Test
    void decide_storeDenies_givesBackTheReservation() {
        decide(Ask.of(there(DAILY, "ann", 3)));

        Decision denied = decide(Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 1)));

        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(status(BUCKET).remaining()).isEqualTo(5);
    }

    @Test
    void decide_storeFails_spendsTheReservation() {
        Reply<Decision> reply = engine.decide(Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 1)));
        assertThat(status(BUCKET).remaining()).isEqualTo(3);

        store.failFirst(new IllegalStateException("cut"));

        assertThat(reply.whenReady().toCompletableFuture()).isCompletedExceptionally();
        assertThat(status(BUCKET).remaining()).isEqualTo(3);
    }

    @Test
    void decide_storeNeverAnswers_reservationIsChargedAfterAMinute() {
        engine.decide(Ask.of(here(HOURLY, "ann", 2), there(DAILY, "ann", 1)));
        clock.advance(Duration.ofMinutes(2));

        assertThat(status(HOURLY).remaining()).isEqualTo(3);
        store.settleDown();
        assertThat(status(HOURLY).remaining()).isEqualTo(3);
    }

    @Test
    void decide_requestForAPermit_isDenied() {
        Decision refused =
                decide(Ask.of(here(BUCKET, "ann", 1), there(DAILY, "ann", 1)).hold(FOR_AN_HOUR));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL));
    }
}
