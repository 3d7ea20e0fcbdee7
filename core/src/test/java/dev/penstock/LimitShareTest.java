package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LimitShareTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void share_ofOneNode_isTheLimit() {
        Limit limit = Limit.tokenBucket(10, SECOND);
        assertThat(limit.share(1)).isSameAs(limit);
    }

    @Test
    void share_bucket_dividesRateAndBurst() {
        assertThat(Limit.tokenBucket(10, SECOND, 7).share(3).algorithm())
                .isEqualTo(new TokenBucket(10, SECOND.multipliedBy(3), 2));
        assertThat(Limit.leakyBucket(10, SECOND, 7).share(3).algorithm())
                .isEqualTo(new LeakyBucket(10, SECOND.multipliedBy(3), 2));
    }

    @Test
    void share_others_divideTheirCapacity() {
        assertThat(Limit.fixedWindow(10, SECOND).share(3).algorithm()).isEqualTo(new FixedWindow(3, SECOND));
        assertThat(Limit.calendarWindow(10, CalendarPeriod.DAY, ZoneOffset.UTC)
                        .share(3)
                        .algorithm())
                .isEqualTo(new CalendarWindow(3, CalendarPeriod.DAY, ZoneOffset.UTC));
        assertThat(Limit.slidingWindow(10, SECOND).share(3).algorithm()).isEqualTo(new SlidingWindow(3, SECOND));
        assertThat(Limit.slidingLog(10, SECOND).share(3).algorithm()).isEqualTo(new SlidingLog(3, SECOND));
        assertThat(Limit.concurrency(10, SECOND).share(3).algorithm()).isEqualTo(new Concurrency(3, SECOND));
    }

    @Test
    void share_limitBelowTheNumberOfNodes_isOne() {
        assertThat(Limit.fixedWindow(3, SECOND).share(8).capacity()).isEqualTo(1);
        assertThat(Limit.tokenBucket(3, SECOND).share(8).capacity()).isEqualTo(1);
    }

    @Test
    void share_keepsIdUnitAndAccount() {
        Limit limit = Limit.tokenBucket(10, SECOND).unit("tokens").maxDebt(9);
        Limit share = limit.share(4);
        assertThat(share.id()).isEqualTo(limit.id());
        assertThat(share.unit()).isEqualTo("tokens");
        assertThat(share.maxDebt()).isEqualTo(2);
        assertThat(share.rule().shape()).isEqualTo(limit.rule().shape());
    }

    @Test
    void share_ofNoNodes_isRejected() {
        assertThatThrownBy(() -> Limit.fixedWindow(3, SECOND).share(0)).hasMessage("nodes: 0 (expected: > 0)");
    }
}
