package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.observe.RequestOutcome.Outcome;
import dev.penstock.spi.TripListener.Kind;
import dev.penstock.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DecisionMeters meters =
            DecisionMeters.builder().clock(clock).mostSeries(5_000).to(registry);
    private final StoreMeters store = new StoreMeters(registry);
    private final History history = new History(meters, store, clock);
    private final long begun = clock.now().getEpochSecond();
    private final Limiter limiter = Limiter.builder(Policy.setOf(
                    Policy.named("users").limit(Limit.tokenBucket(2, Duration.ofDays(1)), "user"),
                    Policy.named("watching")
                            .limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user")
                            .shadow(),
                    Policy.named("watching too")
                            .limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user")
                            .shadow()))
            .clock(clock)
            .listener(meters)
            .build();

    @AfterEach
    void close() {
        limiter.close();
    }

    private void ask(int times) {
        for (int i = 0; i < times; i++) {
            limiter.decide(Request.of("user", "ann"));
        }
    }

    private void tally(String policy, DecidedBy by) {
        meters.count(new RequestOutcome(Outcome.ALLOWED, by, Map.of(policy, Outcome.ALLOWED), null, null));
    }

    private void nextSecond() {
        clock.advance(SECOND);
        history.turn();
    }

    @Test
    void pastSeconds_areReportedOldestFirst() {
        ask(1);
        nextSecond();
        ask(4);
        nextSecond();
        ask(9);
        HistoryReport report = history.after(0);

        assertThat(report.from()).isEqualTo(begun);
        assertThat(report.count()).isEqualTo(2);
        assertThat(report.total().allowed()).containsExactly(1L, 1L);
        assertThat(report.total().denied()).containsExactly(0L, 3L);
        assertThat(report.policies()).containsOnlyKeys("users", "watching", "watching too");
        assertThat(report.policies().get("users").denied()).containsExactly(0L, 3L);
    }

    /** Two policies would have denied, but it is still one decision. */
    @Test
    void decisionDeniedOnlyInShadow_countsOnceInTheTotal() {
        ask(2);
        nextSecond();
        HistoryReport report = history.after(0);

        assertThat(report.total().allowed()).containsExactly(2L);
        assertThat(report.total().shadowDenied()).containsExactly(1L);
        assertThat(report.policies().get("watching").shadowDenied()).containsExactly(1L);
        assertThat(report.policies().get("watching").allowed()).containsExactly(1L);
        assertThat(report.policies().get("users").shadowDenied()).containsExactly(0L);
    }

    @Test
    void requestOutcomes_areIncluded() {
        meters.count(new RequestOutcome(
                Outcome.DENIED,
                DecidedBy.STORE,
                Map.of("a", Outcome.DENIED, "b", Outcome.SHADOW_DENIED, "c", Outcome.SHADOW_DENIED),
                null,
                null));
        nextSecond();
        HistoryReport report = history.after(0);

        assertThat(report.total().denied()).containsExactly(1L);
        assertThat(report.total().shadowDenied()).containsExactly(1L);
        assertThat(report.policies()).containsOnlyKeys("a", "b", "c");
    }

    @Test
    void after_leavesOutEarlierSecondsAndPoliciesWithoutTraffic() {
        ask(1);
        nextSecond();
        nextSecond();

        assertThat(history.after(begun).from()).isEqualTo(begun + 1);
        assertThat(history.after(begun).count()).isEqualTo(1);
        assertThat(history.after(begun).policies()).isEmpty();
        for (long late : new long[] {begun + 1, begun + 2, begun + 3, Long.MAX_VALUE}) {
            assertThat(history.after(late).count()).isZero();
            assertThat(history.after(late).from()).isEqualTo(begun + 2);
        }
    }

    @Test
    void after_recordsPastSecondsWithoutATurn() {
        ask(1);
        clock.advance(SECOND);

        assertThat(history.after(0).total().allowed()).containsExactly(1L);
    }

    @Test
    void oldSeconds_areDropped() {
        for (int i = 0; i < History.SECONDS + 7; i++) {
            tally("p" + i % 2, DecidedBy.STORE);
            nextSecond();
        }
        HistoryReport report = history.after(0);

        assertThat(report.count()).isEqualTo(History.SECONDS);
        assertThat(report.from()).isEqualTo(begun + 7);
        assertThat(report.total().allowed()).containsOnly(1L);
        assertThat(report.policies().get("p0").allowed()).startsWith(0L, 1L, 0L).endsWith(1L);
        assertThat(report.policies().get("p1").allowed().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(History.SECONDS / 2);
    }

    @Test
    void lateTurn_spreadsWhatWasCounted() {
        ask(10);
        clock.advance(Duration.ofSeconds(3));
        history.turn();

        assertThat(history.after(0).total().denied()).containsExactly(2L, 3L, 3L);
    }

    @Test
    void clockSetBack_orFarAhead_beginsAnew() {
        ask(1);
        nextSecond();
        clock.advance(Duration.ofSeconds(-100));
        assertThat(history.after(0).count()).isZero();
        nextSecond();
        assertThat(history.after(0).from()).isEqualTo(begun - 99);
        assertThat(history.after(0).total().allowed()).containsExactly(0L);

        clock.advance(Duration.ofSeconds(History.SECONDS + 1));
        assertThat(history.after(0).count()).isZero();
        assertThat(history.after(0).policies()).isEmpty();
        tally("a", DecidedBy.STORE);
        nextSecond();
        assertThat(history.after(0).policies().get("a").allowed()).containsExactly(1L);
    }

    @Test
    void tooManyPolicies_shareOneName_andIdleOnesMakeRoom() {
        for (int i = 0; i < History.MOST_POLICIES + 5; i++) {
            tally("p" + i, DecidedBy.STORE);
        }
        nextSecond();
        HistoryReport report = history.after(0);
        assertThat(report.policies()).hasSize(History.MOST_POLICIES + 1);
        assertThat(report.policies().get("(others)").allowed()).containsExactly(5L);

        for (int i = 0; i <= History.SECONDS; i++) {
            nextSecond();
        }
        tally("new", DecidedBy.STORE);
        nextSecond();
        assertThat(history.after(0).policies()).containsOnlyKeys("new");
    }

    @Test
    void trips_areReportedWithMeanAndSlowest() {
        store.onTrip("a:1", 100);
        store.onTrip("a:1", 300);
        store.onFailure(Kind.CONNECTION);
        nextSecond();
        store.onTrip("a:1", 50);
        nextSecond();
        nextSecond();
        HistoryReport.Trips trips = history.after(0).store();

        assertThat(trips.trips()).containsExactly(2L, 1L, 0L);
        assertThat(trips.errors()).containsExactly(1L, 0L, 0L);
        assertThat(trips.meanMicros()).containsExactly(200L, 50L, 0L);
        assertThat(trips.slowestMicros()).containsExactly(300L, 50L, 0L);
        assertThat(history.after(0).fallback()).containsExactly(0L, 0L, 0L);
    }

    @Test
    void fallback_isReportedForSecondsInWhichItDecided() {
        tally("a", DecidedBy.FALLBACK);
        nextSecond();
        tally("a", DecidedBy.STORE);
        nextSecond();

        assertThat(history.after(0).fallback()).containsExactly(1L, 0L);
    }

    @Test
    void overloadedRequests_haveTheirOwnList() {
        tally("a", DecidedBy.NODE);
        tally("a", DecidedBy.NODE);
        nextSecond();
        nextSecond();
        HistoryReport report = history.after(0);

        assertThat(report.overloaded()).containsExactly(2L, 0L);
        assertThat(report.total().denied()).containsExactly(0L, 0L);
        assertThat(report.policies()).isEmpty();
    }

    @Test
    void withoutAStore_thereAreNoTrips() {
        assertThat(new History(meters, null, clock).after(0).store()).isNull();
    }

    @Test
    void untilNext_isTheRestOfTheSecond() {
        assertThat(history.untilNext()).isEqualTo(Duration.ofNanos(876_543_000));
        clock.advance(history.untilNext());
        assertThat(history.untilNext()).isEqualTo(SECOND);
    }
}
