package dev.penstock.server;

import dev.penstock.Limit;
import dev.penstock.Request;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicySet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Matches each request against the real policies, but then selects limits of its own: one of each algorithm in turn, on
 * keys that nothing else uses. It touches no account of the real policies.
 */
final class WarmUpPolicies implements PolicySet {
    private static final String NAME = "warm-up";
    private static final long MANY = 1_000_000_000;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int KEYS = 64;

    private static final List<Limit> LIMITS = List.of(
            Limit.tokenBucket(MANY, SECOND),
            Limit.fixedWindow(MANY, SECOND),
            Limit.tokenBucket(MANY, SECOND),
            Limit.slidingWindow(MANY, SECOND),
            Limit.tokenBucket(MANY, SECOND),
            Limit.leakyBucket(1_000_000, SECOND, 1_000),
            Limit.slidingLog(1_000, SECOND),
            Limit.concurrency(1_000, SECOND));

    private final PolicySet policies;
    private final AtomicInteger next = new AtomicInteger();

    WarmUpPolicies(PolicySet policies) {
        this.policies = policies;
    }

    @Override
    public Ask match(Request request) {
        try {
            Ask unused = policies.match(request);
        } catch (IllegalArgumentException e) { // the policies need an attribute that the request does not have
            return ask();
        }
        return ask();
    }

    @Override
    public Set<String> units() {
        return policies.units();
    }

    private Ask ask() {
        int number = next.getAndIncrement() & Integer.MAX_VALUE;
        Charge first = charge(LIMITS.get(number % LIMITS.size()), number);
        boolean isPair = number / LIMITS.size() % 4 == 0;
        return isPair ? Ask.of(List.of(first, charge(LIMITS.get(1), number + 1))) : Ask.of(first);
    }

    private static Charge charge(Limit limit, int number) {
        return Charge.of(LimitSettings.of(NAME, limit), Key.of(NAME, "nobody-" + number % KEYS), 1);
    }
}
