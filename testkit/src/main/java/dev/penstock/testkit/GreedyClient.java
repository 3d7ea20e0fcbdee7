package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.util.SplittableRandom;

/**
 * A client that takes every permit of a token bucket for a simulated year. Its random steps are short enough that the
 * bucket is never full.
 */
public abstract class GreedyClient {
    private static final long START = 1_735_689_600_000_000L;
    private static final long YEAR_MICROS = 365L * 86_400 * 1_000_000;

    private final Limit limit;
    private final TokenBucket bucket;
    private final SplittableRandom random;

    /** Creates a client of a token bucket. */
    protected GreedyClient(Limit limit, long seed) {
        this.limit = limit;
        this.bucket = (TokenBucket) limit.algorithm();
        this.random = new SplittableRandom(seed);
    }

    /** Asks an engine at a given time. */
    protected abstract Expected.OfCharge ask(Ask ask, long now);

    private Ask askOf(long cost) {
        return Ask.of(Charge.of(LimitSettings.of("greedy", limit), Key.of("greedy", "client"), cost));
    }

    /** Returns the number of permits that the client got. */
    public long permitsInAYear() {
        long total = 0;
        long now = START;
        long end = START + YEAR_MICROS;
        while (true) {
            total += takeAll(now);
            if (now == end) {
                return total;
            }
            now = Math.min(end, nextMoment(now));
        }
    }

    private long takeAll(long now) {
        long left = ask(askOf(0).peek(), now).remaining();
        if (left < limit.capacity()) {
            assertThat(ask(askOf(left + 1), now).exceeded()).isTrue();
        }
        if (left > 0) {
            assertThat(ask(askOf(left), now).exceeded()).isFalse();
        }
        return left;
    }

    /** Returns a time before the bucket is full. For a capacity of one permit, returns the announced time. */
    private long nextMoment(long now) {
        Fraction eachMicros = Fraction.of(bucket.period().toNanos() / 1_000, bucket.permits());
        long most = eachMicros.times(limit.capacity() - 1).floor().longValueExact();
        long tickMicros = limit.tick().toNanos() / 1_000;
        if (most < 2 * tickMicros) {
            Expected.Wait retry = ask(askOf(1).peek(), now).retry();
            return now + (retry == null ? tickMicros : retry.micros());
        }
        return now + most / 2 + random.nextLong(most / 2 - tickMicros + 1);
    }
}
