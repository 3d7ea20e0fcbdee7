package dev.penstock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.penstock.Denied.Action;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.Lockout;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadInputTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void badInput_isRejectedWhereItEnters(String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(message);
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    static Stream<Arguments> refused() {
        Limit limit = Limit.tokenBucket(10, MINUTE);
        LimitSettings settings = LimitSettings.of("p", limit);
        Key key = Key.of("c", "v");
        return Stream.of(
                refused("permits: 0 (expected: > 0)", () -> Limit.tokenBucket(0, MINUTE)),
                refused("permits: -3 (expected: > 0)", () -> Limit.fixedWindow(-3, MINUTE)),
                refused(
                        "permits: 9223372036854775807 (expected: <= 4503599627370496)",
                        () -> Limit.slidingWindow(Long.MAX_VALUE, MINUTE)),
                refused("burst: 0 (expected: > 0)", () -> Limit.tokenBucket(1, MINUTE, 0)),
                refused("queue: 0 (expected: > 0)", () -> Limit.leakyBucket(1, MINUTE, 0)),
                refused("slots: 0 (expected: > 0)", () -> Limit.concurrency(0, MINUTE)),
                refused("slots: 1000001 (expected: <= 1000000)", () -> Limit.concurrency(1_000_001, MINUTE)),
                refused("period: PT0S (expected: > 0)", () -> Limit.tokenBucket(1, Duration.ZERO)),
                refused("period: PT-1S (expected: > 0)", () -> Limit.tokenBucket(1, Duration.ofSeconds(-1))),
                refused("period: null (expected: a value)", () -> Limit.tokenBucket(1, null)),
                refused(
                        "period: PT0.0000001S (expected: whole microseconds)",
                        () -> Limit.tokenBucket(1, Duration.ofNanos(100))),
                refused("window: PT8784000H", () -> Limit.fixedWindow(1, Duration.ofDays(366_000))),
                refused(
                        "ttl: PT0.0005S (expected: whole milliseconds)",
                        () -> Limit.concurrency(1, Duration.ofNanos(500_000))),
                refused(
                        "permits: 100001 (expected: <= 100000 for a sliding_log",
                        () -> Limit.slidingLog(100_001, MINUTE)),
                refused("zone: null (expected: a value)", () -> Limit.calendarWindow(1, CalendarPeriod.DAY, null)),
                refused("period: null (expected: a value)", () -> Limit.calendarWindow(1, null, ZoneOffset.UTC)),
                refused(
                        "token_bucket: 7 per PT8784H with capacity 4503599627370496",
                        () -> Limit.tokenBucket(7, Duration.ofDays(366), 1L << 52)),
                refused("sliding_window: 4503599627370496 per PT1M", () -> Limit.slidingWindow(1L << 52, MINUTE)),
                refused("maxDebt: -1 (expected: >= 0)", () -> limit.maxDebt(-1)),
                refused(
                        "maxDebt: 1 (expected: 0 for concurrency)",
                        () -> Limit.concurrency(1, MINUTE).maxDebt(1)),
                refused(
                        "unit: tokens (expected: slots",
                        () -> Limit.concurrency(1, MINUTE).unit("tokens")),
                refused("unit: slots (expected: a unit other than slots", () -> limit.unit("slots")),
                refused("id: \"\" (expected: a text that is not empty)", () -> limit.id("")),
                refused("algorithm: null (expected: a value)", () -> Limit.of(null)),
                refused("cost of requests: -1 (expected: >= 0)", () -> Charge.of(settings, key, -1)),
                refused("cost of requests: 9223372036854775807", () -> Charge.of(settings, key, Long.MAX_VALUE)),
                refused(
                        "cost of slots: 4096 (expected: <= 4095)",
                        () -> Charge.of(LimitSettings.of("p", Limit.concurrency(5_000, MINUTE)), key, 4_096)),
                refused("cost of tokens: -5 (expected: >= 0)", () -> Costs.of("tokens", -5)),
                refused("unit: \"\" (expected: a text that is not empty)", () -> Costs.of("", 1)),
                refused("attribute name: null", () -> Request.of(null, "x")),
                refused("user: null (expected: a value)", () -> Request.of("user", null)),
                refused("timeout: PT0S (expected: > 0)", () -> Request.empty().timeout(Duration.ZERO)),
                refused(
                        "maxDelay: PT-1S (expected: >= 0)",
                        () -> Request.empty().maxDelay(Duration.ofSeconds(-1))),
                refused(
                        "id: null (expected: a text that is not empty)",
                        () -> Request.empty().id((String) null)),
                refused(
                        "charges: 65 (expected: <= 64)",
                        () -> Ask.of(Stream.generate(() -> Charge.of(settings, key, 1))
                                .limit(65)
                                .toList())),
                refused("charges[1]: null (expected: a value)", () -> Ask.of(Charge.of(settings, key, 1), null)),
                refused("charges: null (expected: a value)", () -> Ask.of((java.util.List<Charge>) null)),
                refused("policy: null (expected: a value)", () -> Policy.setOf((Policy) null)),
                refused(
                        "ask: null (expected: a value)",
                        () -> MemoryEngine.create().decide(null)),
                refused("values: null (expected: a value)", () -> Key.of("c", (java.util.List<String>) null)),
                refused(
                        "cost of slots: 5000 (expected: <= 4095)",
                        () -> PolicyLimit.of(Limit.concurrency(10_000, MINUTE)).cost(5_000)),
                refused("staticDecision: null (expected: a value)", () -> Ask.of((StaticDecision) null)),
                refused("denials: 0 (expected: > 0)", () -> new BlockRule(0, MINUTE, MINUTE)),
                refused("within: PT0S (expected: > 0)", () -> new BlockRule(1, Duration.ZERO, MINUTE)),
                refused("lasting: PT0S (expected: > 0)", () -> BlockRule.lasting(Duration.ZERO)),
                refused(
                        "block: null (expected: a value)",
                        () -> PolicyLimit.of(limit).block(null)),
                refused("strikes: 0 (expected: > 0)", () -> new Lockout(0, MINUTE, MINUTE, "")),
                refused(
                        "maxDebt: 1 (expected: 0 for lockout)",
                        () -> Limit.of(new Lockout(1, MINUTE, MINUTE, "")).maxDebt(1)),
                refused("by: \"\" (expected: a text", () -> new StaticDecision(StaticDecision.Verdict.DENY, "", null)),
                refused("number: 0 (expected: > 0)", () -> new PolicyVersion(0, "abc")),
                refused("action: slow lane (expected: at most 64 letters", () -> Action.tag("slow lane")),
                refused("action: null (expected: a value)", () -> settings.action(null)),
                refused(
                        "then: LOCAL (expected: a mode other than the one it follows)",
                        () -> FailurePlan.of(FailureMode.LOCAL).atMost(MINUTE, FailureMode.LOCAL)),
                refused(
                        "time: PT0S (expected: > 0)",
                        () -> FailurePlan.of(FailureMode.LOCAL).atMost(Duration.ZERO, FailureMode.OPEN)),
                refused(
                        "unseen: ONE (expected: SHARE, because a plan without LOCAL has no shares)",
                        () -> FailurePlan.of(FailureMode.OPEN).unseen(FailurePlan.Unseen.ONE)),
                refused("mode: null (expected: a value)", () -> FailurePlan.of(null)),
                refused(
                        "onStoreFailure: null (expected: a value)",
                        () -> Policy.named("p").onStoreFailure((FailurePlan) null)),
                refused("hold: null (expected: a value)", () -> Ask.of().hold(null)),
                refused("ttl: PT0S (expected: > 0)", () -> Hold.of(Duration.ZERO)),
                refused("name: \"\" (expected: a text that is not empty)", () -> Policy.named("")),
                refused(
                        "limits[1].id: token_bucket-1m (expected: a unique id; limits[0] counts under the same name)",
                        () -> Policy.named("p").limit(limit, "user").limit(Limit.tokenBucket(20, MINUTE), "user")),
                refused(
                        "policies[1].name: p (expected: a unique name; policies[0] has it)",
                        () -> Limiter.of(Policy.named("p"), Policy.named("p"))),
                refused(
                        "maxKeys: 0 (expected: > 0)",
                        () -> MemoryEngine.builder().maxKeys(0)),
                refused(
                        "rememberFor: PT0S (expected: > 0)",
                        () -> MemoryEngine.builder().rememberFor(Duration.ZERO)),
                refused(
                        "clock: null (expected: a value)",
                        () -> MemoryEngine.builder().clock(null)),
                refused(
                        "request: null (expected: a value)",
                        () -> Limiter.of(Policy.named("p")).decide(null)),
                refused(
                        "permitId: \"\" (expected: a text that is not empty)",
                        () -> Limiter.of(Policy.named("p")).release("")));
    }

    private static Arguments refused(String message, ThrowingCallable call) {
        return arguments(message, call);
    }
}
