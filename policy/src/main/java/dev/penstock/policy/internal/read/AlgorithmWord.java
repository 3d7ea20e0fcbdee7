package dev.penstock.policy.internal.read;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.policy.text.RateText;
import dev.penstock.policy.text.Unexpected;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words for algorithms, and the option that each one accepts. */
enum AlgorithmWord {
    TOKEN_BUCKET("burst") {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) {
            Long burst = numbers.burst();
            return new TokenBucket(rate.count(), rate.period(), burst == null ? rate.count() : burst);
        }
    },
    FIXED_WINDOW(null) {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) {
            return new FixedWindow(rate.count(), rate.period());
        }
    },
    SLIDING_WINDOW(null) {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) {
            return new SlidingWindow(rate.count(), rate.period());
        }
    },
    SLIDING_LOG(null) {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) {
            return new SlidingLog(rate.count(), rate.period());
        }
    },
    LEAKY_BUCKET("queue") {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) {
            Long queue = numbers.queue();
            return new LeakyBucket(rate.count(), rate.period(), queue == null ? 1 : queue);
        }
    },
    CONCURRENCY("ttl") {
        @Override
        Algorithm of(RateText.Per rate, Numbers numbers) throws Unexpected {
            throw new Unexpected("a number of slots, not a rate");
        }
    };

    /** The options that are written beside the rate. */
    record Numbers(
            @Nullable Long burst,
            @Nullable Long queue,
            @Nullable Duration ttl) {}

    /** The option that only this algorithm accepts. */
    private final @Nullable String companion;

    AlgorithmWord(@Nullable String companion) {
        this.companion = companion;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(AlgorithmWord::word).toList();
    }

    /** Returns the algorithm that has this option; null if none has. */
    static @Nullable AlgorithmWord withCompanion(String word) {
        return Arrays.stream(values())
                .filter(each -> word.equals(each.companion))
                .findFirst()
                .orElse(null);
    }

    abstract Algorithm of(RateText.Per rate, Numbers numbers) throws Unexpected;

    /** Creates the algorithm with these numbers. */
    Algorithm of(Amount amount, Numbers beside) throws Unexpected {
        try {
            if (amount instanceof Amount.OfCount count) {
                return ofCount(count.count(), beside);
            } else if (amount instanceof Amount.OfRate of) {
                return ofRate(of, beside);
            }
        } catch (IllegalArgumentException e) {
            throw new Unexpected("numbers that can be counted exactly; " + e.getMessage());
        }
        throw new AssertionError(amount);
    }

    private Algorithm ofCount(long count, Numbers beside) throws Unexpected {
        if (this != CONCURRENCY) {
            throw new Unexpected(RateText.EXPECTED);
        }
        Duration ttl = beside.ttl();
        return new Concurrency(count, ttl == null ? Duration.ofMinutes(1) : ttl);
    }

    private Algorithm ofRate(Amount.OfRate of, Numbers beside) throws Unexpected {
        if (of.burst() != null && this != TOKEN_BUCKET) {
            throw new Unexpected("no burst, which only token_bucket has");
        }
        if (of.rate() instanceof RateText.PerCalendar calendar) {
            if (this != FIXED_WINDOW) {
                throw new Unexpected("a calendar only in fixed_window");
            }
            return new CalendarWindow(calendar.count(), calendar.period(), calendar.zone());
        }
        Numbers numbers = of.burst() == null ? beside : new Numbers(of.burst(), beside.queue(), beside.ttl());
        return of((RateText.Per) of.rate(), numbers);
    }
}
