package dev.penstock.server.internal.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** For random policies and requests, a strict client reads the decision that was made. */
class DecisionFieldsRandomTest {
    private static final int LIMITERS = 300;
    private static final int DECISIONS = 40;
    private static final String HIDDEN = "hidden";
    private static final List<CalendarPeriod> PERIODS = List.of(CalendarPeriod.values());

    private final ManualClock clock = new ManualClock();

    @Test
    void of_randomDecisions_saysWhatWasDecided() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("random decisions"));
        int denials = 0;
        for (int i = 0; i < LIMITERS; i++) {
            Limiter limiter = Limiter.builder(Policy.setOf(policies(random)))
                    .clock(clock)
                    .scheduler(clock)
                    .build();
            Set<String> policies = new HashSet<>();
            for (int k = 0; k < DECISIONS; k++) {
                clock.advance(Duration.ofNanos(1_000 * random.nextLong(random.nextInt(4) == 0 ? 5_000_000 : 50_000)));
                long cost = random.nextInt(20) == 0 ? 1_000 : random.nextInt(4);
                Decision decision = limiter.decide(Request.of("user", "u" + random.nextInt(2))
                        .cost("requests", cost)
                        .cost("tokens", cost * 3));
                Wire wire = Wire.of(decision);
                check(decision, wire);
                policies.add(String.valueOf(wire.text("RateLimit-Policy")));
                denials += decision.isAllowed() ? 0 : 1;
            }
            assertThat(policies).hasSize(1);
            limiter.close();
        }
        assertThat(denials).isBetween(LIMITERS, LIMITERS * DECISIONS - LIMITERS);
    }

    private static Policy[] policies(SplittableRandom random) {
        Policy[] policies = new Policy[1 + random.nextInt(3)];
        for (int i = 0; i < policies.length; i++) {
            policies[i] = Policy.named("p" + i);
            int limits = 1 + random.nextInt(3);
            for (int k = 0; k < limits; k++) {
                PolicyLimit limit = random.nextInt(4) == 0
                        ? PolicyLimit.of(limit(random).id(HIDDEN + k)).exposure(LimitSettings.Exposure.HIDDEN)
                        : PolicyLimit.of(limit(random).id("l" + k)).by("user");
                limit = random.nextInt(6) == 0 ? limit.blockFor(Duration.ofSeconds(3)) : limit;
                policies[i] = policies[i].limit(limit);
            }
            policies[i] = random.nextInt(5) == 0 ? policies[i].shadow() : policies[i];
        }
        return policies;
    }

    private static Limit limit(SplittableRandom random) {
        long permits = 1 + random.nextLong(30);
        Duration period = Duration.ofMillis(1 + random.nextInt(random.nextBoolean() ? 2_000 : 30_000));
        return switch (random.nextInt(8)) {
            case 0 -> Limit.tokenBucket(permits, period, 1 + random.nextInt(60));
            case 1 -> Limit.leakyBucket(permits, period, 1 + random.nextInt(60));
            case 2 -> Limit.fixedWindow(permits, period);
            case 3 -> Limit.slidingWindow(permits, period);
            case 4 -> Limit.slidingLog(permits, period);
            case 5 -> Limit.concurrency(permits, period);
            case 6 -> Limit.tokenBucket(permits * 3, period).unit("tokens");
            default -> Limit.calendarWindow(permits, PERIODS.get(random.nextInt(PERIODS.size())), ZoneOffset.UTC);
        };
    }

    private static void check(Decision decision, Wire wire) {
        List<LimitStatus> shown = decision.limits().stream()
                .filter(status -> status.isEnforced() && !status.limit().id().startsWith(HIDDEN) && !status.isBlocked())
                .toList();
        assertThat(wire.fields().toString()).doesNotContain(HIDDEN);
        assertThat(new HashSet<>(wire.policies().stream().map(Wire.Member::name).toList()))
                .hasSameSizeAs(wire.policies());
        assertThat(wire.limits()).hasSameSizeAs(shown);
        for (LimitStatus status : shown) {
            checkMember(status, decision, wire);
        }
        checkFirst(shown, wire);
        checkDenial(decision, wire);
    }

    private static void checkMember(LimitStatus status, Decision decision, Wire wire) {
        String name = name(status, decision);
        Wire.Member policy = only(name, wire.policies());
        Wire.Member limit = only(name, wire.limits());
        assertThat(policy.integer("q")).isEqualTo(status.capacity());
        assertThat(limit.integer("r")).isEqualTo(status.remaining()).isBetween(0L, status.capacity());
        Duration wait = status.retry() == null ? null : status.retry().waitFor();
        if (wait != null) {
            assertThat(limit.integer("t"))
                    .isEqualTo(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
            assertThat(wire.text("Retry-After") == null || limit.integer("t") <= wire.number("Retry-After"))
                    .isTrue();
        } else if (status.limit().algorithm() instanceof FixedWindow
                || status.limit().algorithm() instanceof CalendarWindow) {
            assertThat(limit.integer("t")).isPositive();
            assertThat(status.remaining() == status.capacity()
                            || limit.integer("t")
                                    == status.resetAfter()
                                            .plusNanos(999_999_999)
                                            .toSeconds())
                    .isTrue();
        } else if (policy.parameters().containsKey("w")) {
            BigInteger used = BigInteger.valueOf(limit.integer("r") * policy.integer("w"));
            assertThat(used).isLessThanOrEqualTo(BigInteger.valueOf(limit.integer("t") * policy.integer("q")));
            assertThat(limit.integer("t")).isBetween(1L, policy.integer("w"));
        }
    }

    /** Limits of one policy have different ids in this test. */
    private static String name(LimitStatus status, Decision decision) {
        long ofPolicy = decision.charges().stream()
                .filter(charge -> charge.settings().policy().equals(status.policy())
                        && charge.settings().exposure() == LimitSettings.Exposure.SHOWN)
                .count();
        return ofPolicy == 1
                ? status.policy()
                : status.policy() + "/" + status.limit().id();
    }

    private static Wire.Member only(String name, List<Wire.Member> members) {
        List<Wire.Member> named =
                members.stream().filter(member -> member.name().equals(name)).toList();
        assertThat(named).as(name).hasSize(1);
        return named.get(0);
    }

    private static void checkFirst(List<LimitStatus> shown, Wire wire) {
        if (shown.isEmpty()) {
            assertThat(wire.fields()).doesNotContainKeys("RateLimit", "X-RateLimit-Limit");
            return;
        }
        List<LimitStatus> denying = new ArrayList<>(shown);
        denying.removeIf(status -> status.retry() == null);
        long first = wire.limits().get(0).integer("r");
        assertThat(wire.number("X-RateLimit-Remaining")).isEqualTo(first);
        if (denying.isEmpty()) {
            LimitStatus nearest = shown.stream()
                    .min(Comparator.comparing(
                            status -> Math.floorDiv(status.remaining() * 1_000_000_000_000L, status.capacity())))
                    .orElseThrow();
            assertThat(first * nearest.capacity()).isEqualTo(nearest.remaining() * wire.number("X-RateLimit-Limit"));
        } else {
            assertThat(denying).anyMatch(status -> status.remaining() == first);
        }
    }

    private static void checkDenial(Decision decision, Wire wire) {
        if (decision instanceof Allowed) {
            assertThat(wire.fields()).doesNotContainKeys("Retry-After", "Cache-Control");
            return;
        }
        Retry retry = ((Denied) decision).retry();
        assertThat(wire.text("Cache-Control")).isEqualTo("no-store");
        if (retry instanceof Retry.Never) {
            assertThat(wire.text("Retry-After")).isNull();
            return;
        }
        Duration promised = Duration.ofSeconds(wire.number("Retry-After"));
        assertThat(promised).isGreaterThanOrEqualTo(retry.waitFor()).isPositive();
        assertThat(promised.minusSeconds(1)).isLessThanOrEqualTo(retry.waitFor());
    }
}
