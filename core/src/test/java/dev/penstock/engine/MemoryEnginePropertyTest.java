package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.Fraction;
import dev.penstock.testkit.LimitPool;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Properties of any random traffic: no window ever gets more than its limit. */
class MemoryEnginePropertyTest {
    private static final int ROUNDS = 40;
    private static final int REQUESTS = 400;

    /** The engine rejects times after this. */
    private static final Instant LAST_MOMENT = Instant.parse("2200-01-01T00:00:00Z");

    /** An amount that was spent at a time. */
    private record Spent(long micros, long amount) {}

    private final ManualClock clock = new ManualClock();
    private final MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
    private SplittableRandom random = new SplittableRandom();

    @BeforeEach
    void seed() {
        random = new SplittableRandom(TestSeed.printed("properties"));
    }

    private static Ask ask(Limit limit, long cost) {
        return Ask.of(Charge.of(LimitSettings.of("policy", limit), Key.of("property", limit.toString()), cost));
    }

    private PermitHandle grant(Decision decision) {
        return Objects.requireNonNull(((Allowed) decision).permitHandle());
    }

    /** Sends greedy requests of random size at random times, on a scale at which the limit matters. */
    private List<Spent> greedyTraffic(Limit limit, long scaleMicros) {
        List<Spent> spent = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            clock.setMicros(clock.micros() + random.nextLong(scaleMicros + 1));
            long cost = 1 + random.nextLong(Math.max(1, limit.capacity() / 3));
            while (engine.decide(ask(limit, cost)).isAllowed()) {
                spent.add(new Spent(clock.micros(), cost));
            }
            if (engine.decide(ask(limit, 1)).isAllowed()) {
                spent.add(new Spent(clock.micros(), 1));
            }
        }
        return spent;
    }

    private void assertNeverAboveBurstAndRate(Limit limit, List<Spent> spent) {
        TokenBucket bucket = (TokenBucket) limit.algorithm();
        Fraction perMicro = Fraction.of(bucket.permits(), bucket.period().toNanos() / 1_000);
        for (int from = 0; from < spent.size(); from++) {
            long sum = 0;
            for (int to = from; to < spent.size(); to++) {
                sum += spent.get(to).amount;
                long elapsed = spent.get(to).micros - spent.get(from).micros;
                Fraction most = perMicro.times(elapsed).plus(Fraction.of(bucket.burst()));
                assertThat(Fraction.of(sum)).as("%s in %s us", limit, elapsed).isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void tokenBucket_anyWindow_getsAtMostBurstAndRate() {
        for (LimitPool.Rate rate : LimitPool.RATES.subList(0, 6)) {
            long burst = 1 + random.nextLong(30);
            Limit limit = Limit.tokenBucket(rate.permits(), rate.period(), burst);
            long each = Math.max(1, rate.period().toNanos() / 1_000 / rate.permits());
            assertNeverAboveBurstAndRate(limit, greedyTraffic(limit, each * 3));
        }
    }

    @Test
    void slidingLog_anyWindow_getsAtMostTheLimit() {
        for (int round = 0; round < ROUNDS; round++) {
            long window = 1 + random.nextLong(5_000_000);
            Limit limit = Limit.slidingLog(1 + random.nextLong(12), Duration.ofNanos(window * 1_000));
            Deque<Spent> inWindow = new ArrayDeque<>();
            long sum = 0;
            for (Spent one : greedyTraffic(limit, window / 3)) {
                while (!inWindow.isEmpty() && inWindow.getFirst().micros <= one.micros - window) {
                    sum -= inWindow.removeFirst().amount;
                }
                inWindow.addLast(one);
                sum += one.amount;
                assertThat(sum).as("%s", limit).isLessThanOrEqualTo(limit.capacity());
            }
        }
    }

    @Test
    void fixedWindow_everyWindow_getsTheLimitAndNoMore() {
        for (int round = 0; round < ROUNDS; round++) {
            long window = 1 + random.nextLong(5_000_000);
            Limit limit = Limit.fixedWindow(1 + random.nextLong(12), Duration.ofNanos(window * 1_000));
            long number = -1;
            long sum = 0;
            for (Spent one : greedyTraffic(limit, window / 3)) {
                long its = one.micros / window;
                sum = (its == number ? sum : 0) + one.amount;
                number = its;
                assertThat(sum).as("%s", limit).isLessThanOrEqualTo(limit.capacity());
            }
        }
    }

    @Test
    void slidingWindow_anyWindow_getsLessThanTwiceTheLimit() {
        for (int round = 0; round < ROUNDS; round++) {
            long window = 2 + random.nextLong(5_000_000);
            Limit limit = Limit.slidingWindow(1 + random.nextLong(12), Duration.ofNanos(window * 1_000));
            Deque<Spent> inWindow = new ArrayDeque<>();
            long sum = 0;
            for (Spent one : greedyTraffic(limit, window / 3)) {
                while (!inWindow.isEmpty() && inWindow.getFirst().micros <= one.micros - window) {
                    sum -= inWindow.removeFirst().amount;
                }
                inWindow.addLast(one);
                sum += one.amount;
                assertThat(sum).as("%s", limit).isLessThan(2 * limit.capacity() + 1);
            }
        }
    }

    @Test
    void leakyBucket_departures_areSpacedByTheRate() {
        for (LimitPool.Rate rate : LimitPool.RATES.subList(0, 6)) {
            Limit limit = Limit.leakyBucket(rate.permits(), rate.period(), 1 + random.nextLong(20));
            Fraction each = Fraction.of(rate.period().toNanos() / 1_000, rate.permits());
            long scale = Math.max(1, each.floor().longValueExact()) * 3;
            Fraction free = Fraction.ZERO;
            for (int i = 0; i < REQUESTS; i++) {
                clock.setMicros(clock.micros() + random.nextLong(scale));
                long cost = 1 + random.nextLong(limit.capacity());
                Decision decision = engine.decide(ask(limit, cost));
                if (decision instanceof Allowed allowed) {
                    Fraction now = Fraction.of(clock.micros());
                    long leaves = clock.micros() + allowed.delay().toNanos() / 1_000;
                    assertThat(Fraction.of(leaves)).isGreaterThanOrEqualTo(free);
                    assertThat(leaves).isEqualTo(now.max(free).ceil().longValueExact());
                    free = now.max(free).plus(each.times(cost));
                }
            }
        }
    }

    @Test
    void concurrency_neverMoreThanTheSlotsAreHeld() {
        for (int round = 0; round < ROUNDS; round++) {
            long ttlMillis = 1 + random.nextLong(1_000);
            Limit limit = Limit.concurrency(1 + random.nextLong(12), Duration.ofMillis(ttlMillis));
            record Holder(String id, long slots, long expiresAt) {}
            List<Holder> holders = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                clock.setMicros(clock.micros() + random.nextLong(ttlMillis * 300));
                long now = clock.micros();
                holders.removeIf(holder -> holder.expiresAt <= now);
                if (random.nextInt(3) == 0 && !holders.isEmpty()) {
                    Holder leaving = holders.remove(random.nextInt(holders.size()));
                    assertThat(engine.settle(leaving.id, null)).isEqualTo(Settlement.settled(Costs.NONE));
                }
                long slots = 1 + random.nextLong(3);
                Decision decision = engine.decide(ask(limit, slots));
                long held = holders.stream().mapToLong(Holder::slots).sum();
                assertThat(decision.isAllowed()).isEqualTo(held + slots <= limit.capacity());
                if (decision.isAllowed()) {
                    holders.add(new Holder(grant(decision).id(), slots, now + ttlMillis * 1_000));
                }
            }
        }
    }

    /**
     * A cost that is given back comes back in full, but never as a second burst: spending stays within burst and rate.
     */
    @RepeatedTest(10)
    void settle_givingBack_keepsEveryWindowWithinBurstAndRate() {
        Limit limit = Limit.tokenBucket(1 + random.nextLong(9), Duration.ofSeconds(1), 1 + random.nextLong(20));
        record Held(PermitHandle grant, long amount) {}
        List<Held> held = new ArrayList<>();
        List<Spent> spent = new ArrayList<>();
        long given = 0;
        for (int i = 0; i < REQUESTS; i++) {
            clock.setMicros(clock.micros() + random.nextLong(400_000));
            long cost = 1 + random.nextLong(limit.capacity());
            Decision decision = engine.decide(ask(limit, cost).hold(Hold.of(Duration.ofDays(1))));
            if (decision.isAllowed()) {
                held.add(new Held(grant(decision), cost));
            }
            if (!held.isEmpty() && random.nextBoolean()) {
                Held one = held.remove(random.nextInt(held.size()));
                long actual = random.nextLong(one.amount + 1);
                assertThat(engine.settle(one.grant.id(), Costs.of("requests", actual))
                                .status())
                        .isEqualTo(Settlement.Status.SETTLED);
                spent.add(new Spent(clock.micros(), actual));
                given += one.amount - actual;
            }
        }
        assertThat(given).isPositive();
        assertNeverAboveBurstAndRate(limit, spent);
        long stillHeld = held.stream().mapToLong(Held::amount).sum();
        clock.setMicros(clock.micros() + 60_000_000);
        assertThat(engine.decide(ask(limit, 0).peek()).limits().get(0).remaining())
                .isEqualTo(limit.capacity() - stillHeld);
    }

    @Test
    void retry_notBefore_isTheFirstMomentThatFits() {
        LimitPool pool = new LimitPool(random);
        int seen = 0;
        for (int round = 0; round < 3_000; round++) {
            Limit limit = pool.versions(1).get(0);
            if (limit.algorithm() instanceof Concurrency) {
                continue;
            }
            clock.setMicros(ManualClock.ORDINARY_MOMENT.getEpochSecond() * 1_000_000 + random.nextLong(1_000_000_000));
            long now = clock.micros();
            Key key = Key.of("retry", String.valueOf(round));
            LimitSettings settings = LimitSettings.of("policy", limit);
            engine.decide(Ask.of(Charge.of(settings, key, 1 + random.nextLong(limit.capacity()))));
            clock.setMicros(now + random.nextLong(1 + scaleMicros(limit)));
            Ask more = Ask.of(Charge.of(settings, key, 1 + random.nextLong(limit.capacity())));
            if (engine.decide(more).isAllowed()) {
                continue;
            }
            LimitStatus status = engine.decide(more.peek()).limits().get(0);
            if (status.retry() instanceof Retry.NotBefore retry && retry.time().isBefore(LAST_MOMENT)) {
                seen++;
                clock.set(retry.time().minusNanos(1_000));
                assertThat(engine.decide(more.peek()).isAllowed())
                        .as("%s before", status)
                        .isFalse();
                clock.set(retry.time());
                assertThat(engine.decide(more).isAllowed())
                        .as("%s then", status)
                        .isTrue();
            }
        }
        assertThat(seen).isGreaterThan(300);
    }

    private static long scaleMicros(Limit limit) {
        Algorithm algorithm = limit.algorithm();
        if (algorithm instanceof TokenBucket bucket) {
            return Math.min(1L << 40, bucket.period().toNanos() / 1_000);
        }
        return algorithm instanceof LeakyBucket bucket
                ? Math.min(1L << 40, bucket.period().toNanos() / 1_000)
                : 1_000_000;
    }
}
