package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Settlement;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.internal.cache.PermitPair;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class LocalFirstTest {
    private static final Limit BUCKET = Limit.tokenBucket(5, Duration.ofSeconds(1));
    private static final Limit DAILY = Limit.fixedWindow(3, Duration.ofDays(1));
    private static final Limit SLOTS = Limit.concurrency(2, Duration.ofMinutes(1));
    private static final Hold FOR_A_MINUTE = Hold.of(Duration.ofMinutes(1));

    private final ManualClock clock = new ManualClock();
    private final MemoryEngine memory = MemoryEngine.builder().clock(clock).build();
    private final CountingEngine store = new CountingEngine(memory);
    private final LocalFirst engine = LocalFirst.builder(store).clock(clock).build();

    private static Charge here(Limit limit, String who, long cost) {
        return Charge.of(
                LimitSettings.of("policy", limit).place(LimitSettings.Place.LOCAL), Key.of("counter", who), cost);
    }

    private static Charge there(Limit limit, String who, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("counter", who), cost);
    }

    private Decision decide(Ask ask) {
        return Objects.requireNonNull(engine.decide(ask).ifReady());
    }

    private Decision decide(Charge... charges) {
        return decide(Ask.of(charges));
    }

    private PermitHandle granted(Ask ask) {
        return Objects.requireNonNull(((Allowed) decide(ask)).permitHandle());
    }

    private LimitStatus status(Charge charge) {
        return decide(Ask.of(charge).peek()).limits().get(0);
    }

    private long remainingHere(Limit limit) {
        return status(here(limit, "ann", 0)).remaining();
    }

    private long remainingThere(Limit limit) {
        return status(there(limit, "ann", 0)).remaining();
    }

    @Test
    void decide_retryDeniedByTheStore_keepsTheFirstCallsHold() {
        boolean[] isAway = {false};
        Engine failing = new ForwardingEngine(memory) {
            @Override
            public Reply<Decision> decide(Ask ask) {
                Evidence nothing = Evidence.none(ask, clock.micros(), DecidedBy.FALLBACK);
                return isAway[0]
                        ? new Denied(nothing, Denied.Reason.STORE_FAILED, Duration.ofSeconds(1))
                        : super.decide(ask);
            }
        };
        LocalFirst first = LocalFirst.builder(failing).clock(clock).build();
        Limit daily = Limit.fixedWindow(5, Duration.ofDays(1));
        Ask call = Ask.of(here(daily, "ann", 2), there(DAILY, "ann", 1)).hold(FOR_A_MINUTE);
        Ask look = Ask.of(here(daily, "ann", 1)).peek();
        assertThat(Objects.requireNonNull(first.decide(call.id("call")).ifReady())
                        .isAllowed())
                .isTrue();
        clock.advance(Duration.ofMillis(1));
        isAway[0] = true;

        assertThat(Objects.requireNonNull(first.decide(call.id("call")).ifReady())
                        .isAllowed())
                .isFalse();
        assertThat(Objects.requireNonNull(first.decide(call.id("another")).ifReady())
                        .isAllowed())
                .as("new, and given back")
                .isFalse();

        Decision left = Objects.requireNonNull(first.decide(look).ifReady());
        assertThat(left.limits().get(0).remaining()).isEqualTo(3);
    }

    @Test
    void decide_deniedLocally_doesNotAskTheStore() {
        decide(here(BUCKET, "ann", 5));
        Decision denied = decide(there(DAILY, "ann", 1), here(BUCKET, "ann", 1));
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.LOCAL_LIMIT);
        assertThat(denied.charges()).hasSize(2);
        assertThat(denied.limits()).extracting(LimitStatus::limit).containsExactly(BUCKET);
        assertThat(((Denied) denied).retry().waitFor()).isEqualTo(Duration.ofMillis(200));
        assertThat(store.trips()).isZero();
    }

    @Test
    void decide_allLocal_needsNoStore() {
        assertThat(decide(here(BUCKET, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.LOCAL_LIMIT);
        assertThat(store.trips()).isZero();
    }

    @Test
    void decide_noneLocal_isPassedOnUnchanged() {
        Ask ask = Ask.of(there(DAILY, "ann", 1));
        assertThat(decide(ask).decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(store.asked).containsExactly(ask);
    }

    @Test
    void decide_both_asksTheStoreForTheRestAndReportsAllInOrder() {
        Decision allowed = decide(here(BUCKET, "ann", 2), there(DAILY, "ann", 1), here(DAILY, "ann", 2));
        assertThat(store.asked.get(0).charges()).hasSize(1);
        assertThat(allowed.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(allowed.limits()).extracting(LimitStatus::remaining).containsExactly(3L, 2L, 1L);
        assertThat(allowed.limits()).extracting(LimitStatus::limit).containsExactly(BUCKET, DAILY, DAILY);
        assertThat(allowed.limits().get(0).resetAfter()).isEqualTo(Duration.ofMillis(400));
        assertThat(((Allowed) allowed).permitHandle()).isNull();
        assertThat(remainingHere(BUCKET)).isEqualTo(3);
        assertThat(remainingHere(DAILY)).isEqualTo(1);
        assertThat(remainingThere(DAILY)).isEqualTo(2);
    }

    @Test
    void decide_storeDenies_givesBackTheLocalCharges() {
        decide(there(DAILY, "ann", 3));
        for (int i = 0; i < 20; i++) {
            Decision denied = decide(
                    here(BUCKET, "ann", 4),
                    there(DAILY, "ann", 1),
                    here(Limit.slidingLog(4, Duration.ofSeconds(1)), "ann", 4),
                    here(Limit.slidingWindow(4, Duration.ofSeconds(1)), "ann", 4),
                    here(Limit.leakyBucket(4, Duration.ofSeconds(1), 4), "ann", 4),
                    here(SLOTS, "ann", 2));
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(denied.limits())
                    .extracting(LimitStatus::isExceeded)
                    .containsExactly(false, true, false, false, false, false);
            assertThat(denied.limits()).extracting(LimitStatus::remaining).containsExactly(5L, 0L, 4L, 4L, 4L, 2L);
        }
        assertThat(remainingHere(BUCKET)).isEqualTo(5);
        assertThat(remainingHere(SLOTS)).isEqualTo(2);
    }

    @Test
    void peek_both_chargesNothing() {
        Ask ask = Ask.of(here(BUCKET, "ann", 5), there(DAILY, "ann", 3));
        for (int i = 0; i < 3; i++) {
            Decision peeked = decide(ask.peek());
            assertThat(peeked.limits()).extracting(LimitStatus::remaining).containsExactly(5L, 3L);
        }
        assertThat(decide(ask).isAllowed()).isTrue();
        assertThat(decide(ask.peek()).isAllowed()).isFalse();
    }

    @Test
    void decide_whileTheStoreIsAsked_reservationsCount() {
        LateEngine late = new LateEngine(memory);
        LocalFirst around = LocalFirst.builder(late).clock(clock).build();
        Ask ask = Ask.of(here(BUCKET, "ann", 3), there(DAILY, "ann", 3));
        Reply<Decision> first = around.decide(ask);
        assertThat(Objects.requireNonNull(around.decide(ask).ifReady()).decidedBy())
                .isEqualTo(DecidedBy.LOCAL_LIMIT);
        late.settleDown();
        assertThat(now(first).isAllowed()).isTrue();
        clock.advance(Duration.ofSeconds(1));

        Reply<Decision> second = around.decide(ask);
        clock.advance(Duration.ofMillis(100));
        late.settleDown();
        assertThat(now(second).isAllowed()).isFalse();
        LimitStatus bucket = now(second).limits().get(0);
        assertThat(bucket.remaining()).isEqualTo(5);
        assertThat(bucket.isExceeded()).isFalse();
    }

    @Test
    void decide_storeFails_keepsTheLocalCharge() {
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        Engine failing = new CountingEngine(memory) {
            @Override
            public Reply<Decision> decide(Ask ask) {
                super.decide(ask);
                if (trips() == 1) {
                    throw new IllegalStateException("down");
                }
                return Reply.later(answer);
            }
        };
        LocalFirst around = LocalFirst.builder(failing).clock(clock).build();
        Ask ask = Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 1), here(SLOTS, "ann", 2));
        assertThatThrownBy(() -> around.decide(ask)).hasMessage("down");
        Reply<Decision> later = around.decide(ask);
        answer.completeExceptionally(new IllegalStateException("cut"));
        assertThatThrownBy(() -> later.whenReady().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("cut");
        Ask left = Ask.of(here(BUCKET, "ann", 0), here(SLOTS, "ann", 0)).peek();
        assertThat(Objects.requireNonNull(around.decide(left).ifReady()).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(1L, 2L);
    }

    @Test
    void permit_heldInBothPlaces_isSettledInBoth() {
        Limit tokens = BUCKET.unit("tokens");
        PermitHandle grant =
                granted(Ask.of(here(tokens, "ann", 4), there(DAILY, "ann", 2)).hold(FOR_A_MINUTE));
        assertThat(grant.id()).startsWith("memory");
        Settlement settled = settle(grant, Costs.of("tokens", 1).and("requests", 1));
        assertThat(settled).isEqualTo(Settlement.settled(Costs.of("tokens", 1).and("requests", 1)));
        assertThat(settle(grant, null)).isEqualTo(settled);
        assertThat(remainingHere(tokens)).isEqualTo(4);
        assertThat(remainingThere(DAILY)).isEqualTo(2);
    }

    @Test
    void permit_ofSlotsInBothPlaces_isRenewedAndReleasedInBoth() {
        PermitHandle grant = granted(Ask.of(here(SLOTS, "ann", 1), there(SLOTS, "ann", 1), here(BUCKET, "ann", 1)));
        assertThat(grant.expiresAt()).isEqualTo(clock.now().plusSeconds(60));
        assertThat(remainingHere(BUCKET)).isEqualTo(4);
        clock.advance(Duration.ofSeconds(40));
        assertThat(engine.renew(grant.id()).ifReady())
                .isEqualTo(Settlement.renewed(clock.now().plusSeconds(60)));
        clock.advance(Duration.ofSeconds(40));
        assertThat(remainingHere(SLOTS)).isEqualTo(1);
        assertThat(remainingThere(SLOTS)).isEqualTo(1);
        assertThat(settle(grant, null)).isEqualTo(Settlement.settled(Costs.NONE));
        assertThat(remainingHere(SLOTS)).isEqualTo(2);
        assertThat(remainingThere(SLOTS)).isEqualTo(2);
        assertThat(remainingHere(BUCKET)).isEqualTo(5);
    }

    @Test
    void permit_ofLocalSlotsOnly_isKeptWithTheStoresCharge() {
        PermitHandle grant = granted(Ask.of(here(SLOTS, "ann", 2), there(DAILY, "ann", 1)));
        assertThat(decide(here(SLOTS, "ann", 1), there(DAILY, "ann", 1)).isAllowed())
                .isFalse();
        settle(grant, null);
        assertThat(decide(here(SLOTS, "ann", 1), there(DAILY, "ann", 1)).isAllowed())
                .isTrue();
        assertThat(remainingThere(DAILY)).isEqualTo(1);
    }

    @Test
    void permit_ofTheStoreAlone_isUnchanged() {
        PermitHandle grant = granted(Ask.of(here(BUCKET, "ann", 1), there(SLOTS, "ann", 1)));
        assertThat(memory.settle(grant.id(), null)).isEqualTo(Settlement.settled(Costs.NONE));
    }

    @Test
    void permit_heldUnderAnId_isTheSameWhenRepeated() {
        Ask ask = Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 1))
                .hold(FOR_A_MINUTE)
                .id("request-1");
        assertThat(granted(ask)).isEqualTo(granted(ask));
        assertThat(remainingHere(BUCKET)).isEqualTo(3);
        assertThat(remainingThere(DAILY)).isEqualTo(2);
    }

    @Test
    void permit_idOwnedByAnotherInTheStore_isNotTakenLocally() {
        Ask mine = Ask.of(here(BUCKET, "ann", 2), there(DAILY, "ann", 1))
                .hold(FOR_A_MINUTE)
                .id(new IdempotencyKey("request-1", "mine"));
        LocalFirst otherNode = LocalFirst.builder(store).clock(clock).build();
        assertThat(Objects.requireNonNull(otherNode.decide(mine).ifReady()).isAllowed())
                .isTrue();

        Denied denied = (Denied) decide(mine.id(new IdempotencyKey("request-1", "other")));

        assertThat(denied.reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        assertThat(remainingHere(BUCKET)).isEqualTo(5);
        assertThat(granted(mine)).isEqualTo(granted(mine));
        assertThat(remainingHere(BUCKET)).isEqualTo(3);
        assertThat(remainingThere(DAILY)).isEqualTo(2);
    }

    @Test
    void permit_expiredInBoth_isExpired() {
        PermitHandle grant =
                granted(Ask.of(here(BUCKET, "ann", 4), there(DAILY, "ann", 2)).hold(FOR_A_MINUTE));
        clock.advance(Duration.ofMinutes(1));
        assertThat(settle(grant, null)).isEqualTo(Settlement.expired());
        assertThat(engine.settle("memory+local-never-given", null).ifReady()).isEqualTo(Settlement.unknown());
    }

    private Settlement settle(PermitHandle grant, Costs actual) {
        return Objects.requireNonNull(engine.settle(grant.id(), actual).ifReady());
    }

    @Test
    void reset_bothPlaces_eachResetsItsOwn() {
        decide(here(BUCKET, "ann", 5), there(DAILY, "ann", 3));
        decide(there(BUCKET, "ann", 5));
        engine.reset(Ask.of(here(BUCKET, "ann", 1), there(DAILY, "ann", 1)));
        assertThat(remainingHere(BUCKET)).isEqualTo(5);
        assertThat(remainingThere(DAILY)).isEqualTo(3);
        assertThat(remainingThere(BUCKET)).isZero();
    }

    @Test
    void decide_newKeys_areLimitedFromTheFirstRequestInBoundedMemory() {
        LocalFirst small = LocalFirst.builder(store)
                .clock(clock)
                .maxKeys(100)
                .whenFull(WhenFull.DENY)
                .build();
        int toTheStore = 0;
        for (int i = 0; i < 1_000; i++) {
            for (int k = 0; k < 10; k++) {
                Ask ask = Ask.of(here(BUCKET, "who" + i, 1), there(Limit.fixedWindow(9, Duration.ofDays(1)), "all", 0));
                toTheStore +=
                        Objects.requireNonNull(small.decide(ask).ifReady()).isAllowed() ? 1 : 0;
            }
        }
        assertThat(toTheStore).isEqualTo(store.trips()).isLessThanOrEqualTo(500);
        assertThat(small.stats().keys()).isLessThanOrEqualTo(100);
    }

    @Test
    void decide_manyDifferentKeys_areNotRemembered() {
        LocalFirst small = LocalFirst.builder(store).clock(clock).maxKeys(10).build();
        Limit wide = Limit.tokenBucket(1_000_000, Duration.ofSeconds(1));
        for (int i = 0; i < 1_000; i++) {
            Ask ask = Ask.of(here(wide, "ann", 1), there(wide, "ann", 1));
            assertThat(Objects.requireNonNull(small.decide(ask).ifReady()).isAllowed())
                    .isTrue();
        }
    }

    private static Decision now(Reply<Decision> reply) {
        CompletableFuture<Decision> future = reply.whenReady().toCompletableFuture();
        assertThat(future).isDone();
        return future.join();
    }

    @Test
    void settle_storesPartIsPending_wholeIsPending() {
        Settlement here = Settlement.settled(Costs.of("tokens", 3));
        assertThat(PermitPair.together(Settlement.pending(), here)).isEqualTo(Settlement.pending());
        assertThat(PermitPair.together(here, Settlement.pending())).isEqualTo(Settlement.pending());
    }
}
