package dev.penstock.server.internal.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Algorithm;
import dev.penstock.CalendarPeriod;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.DenyCache;
import dev.penstock.FailureMode;
import dev.penstock.Guard;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Lockout;
import dev.penstock.MemoryEngine;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.PolicySet;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.Terms;
import dev.penstock.WhenFull;
import dev.penstock.server.internal.fields.FieldChoices.Family;
import dev.penstock.server.internal.fields.FieldChoices.ResetForm;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ForwardingEngine;
import dev.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionFieldsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Request ANYBODY = Request.of("user", "a");

    /** 13:37:21.123457: 38.876543 s before the next minute. */
    private final ManualClock clock = new ManualClock();

    private Limiter limiter(Policy... policies) {
        return limiter(MemoryEngine.builder().clock(clock).build(), policies);
    }

    private Limiter limiter(Engine engine, Policy... policies) {
        return Limiter.builder(PolicySet.of(policies))
                .engine(engine)
                .clock(clock)
                .timer(clock)
                .build();
    }

    private static Policy api(Limit... limits) {
        Policy policy = Policy.named("api");
        for (Limit limit : limits) {
            policy = policy.limit(limit, "user");
        }
        return policy;
    }

    private static Decision decide(Limiter limiter, int times) {
        Decision last = limiter.decide(ANYBODY);
        for (int i = 1; i < times; i++) {
            last = limiter.decide(ANYBODY);
        }
        return last;
    }

    @Test
    void of_allowed_tellsEverythingInOrder() {
        Decision decision = limiter(api(Limit.tokenBucket(100, MINUTE))).decide(ANYBODY);

        assertThat(new DecisionFields(FieldChoices.USUAL).of(decision))
                .extracting(HeaderField::toString)
                .containsExactly(
                        "RateLimit-Policy: \"api\";q=100;w=60",
                        "RateLimit: \"api\";r=99;t=60",
                        "X-RateLimit-Limit: 100",
                        "X-RateLimit-Remaining: 99",
                        "X-RateLimit-Reset: "
                                + Instant.parse("2025-06-18T13:37:22Z").getEpochSecond());
    }

    @Test
    void of_denied_tellsWhenToRetryAndForbidsToStore() {
        Decision decision = decide(limiter(api(Limit.fixedWindow(2, MINUTE))), 3);

        assertThat(new DecisionFields(FieldChoices.USUAL).of(decision))
                .extracting(HeaderField::toString)
                .containsExactly(
                        "RateLimit-Policy: \"api\";q=2;w=60",
                        "RateLimit: \"api\";r=0;t=39",
                        "X-RateLimit-Limit: 2",
                        "X-RateLimit-Remaining: 0",
                        "X-RateLimit-Reset: "
                                + Instant.parse("2025-06-18T13:38:00Z").getEpochSecond(),
                        "Retry-After: 39",
                        "Cache-Control: no-store");
    }

    @Test
    void of_exampleOfTheDocs_isWhatIsSent() throws IOException {
        Policy all = Policy.named("all").limit(Limit.tokenBucket(1_000, MINUTE));
        Limiter limiter = limiter(all, api(Limit.tokenBucket(100, MINUTE), Limit.concurrency(5, MINUTE)));
        for (String other : List.of("b", "c", "d", "e")) {
            limiter.decide(Request.of("user", other).cost("requests", 68));
        }
        Decision decision = limiter.decide(ANYBODY.cost("requests", 88));
        String sent = new DecisionFields(FieldChoices.USUAL)
                .of(decision).stream().map(HeaderField::toString).collect(Collectors.joining("\n"));

        assertThat(Files.readString(Path.of("..", "docs", "header-fields.md"))).contains("```\n" + sent + "\n```");
    }

    static Stream<Arguments> everyAlgorithm() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        return Stream.of(
                Arguments.of(Limit.tokenBucket(100, MINUTE), "\"api\";q=100;w=60"),
                Arguments.of(Limit.tokenBucket(100, MINUTE, 20), "\"api\";q=20;w=12"),
                Arguments.of(Limit.tokenBucket(100, MINUTE, 500), "\"api\";q=500;w=300"),
                Arguments.of(Limit.tokenBucket(7, SECOND, 20), "\"api\";q=20;w=3"),
                Arguments.of(Limit.tokenBucket(10, SECOND, 5), "\"api\";q=5"),
                Arguments.of(Limit.leakyBucket(10, SECOND, 50), "\"api\";q=50;w=5"),
                Arguments.of(Limit.fixedWindow(10, SECOND), "\"api\";q=10;w=1"),
                Arguments.of(Limit.fixedWindow(10, Duration.ofMillis(999)), "\"api\";q=10"),
                Arguments.of(Limit.fixedWindow(10, Duration.ofMillis(1_001)), "\"api\";q=10;w=2"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.DAY, berlin), "\"api\";q=10;w=86400"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.WEEK, berlin), "\"api\";q=10;w=604800"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.MONTH, berlin), "\"api\";q=10;w=2678400"),
                Arguments.of(Limit.calendarWindow(10, CalendarPeriod.YEAR, berlin), "\"api\";q=10;w=31622400"),
                Arguments.of(Limit.slidingWindow(10, Duration.ofHours(1)), "\"api\";q=10;w=3600"),
                Arguments.of(Limit.slidingLog(10, MINUTE), "\"api\";q=10;w=60"),
                Arguments.of(Limit.concurrency(5, MINUTE), "\"api\";q=5;qu=\"concurrent-requests\""));
    }

    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void of_everyAlgorithm_tellsCapacityWindowAndUnit(Limit limit, String policy) {
        Limiter limiter = limiter(api(limit));

        Decision first = limiter.decide(ANYBODY);
        assertThat(Wire.of(first).text("RateLimit-Policy")).isEqualTo(policy);
        assertThat(Wire.of(first).limits().get(0).integer("r")).isEqualTo(limit.capacity() - 1);

        Decision denied = decide(limiter, (int) limit.capacity());
        Wire wire = Wire.of(denied);
        assertThat(denied.isAllowed()).isFalse();
        assertThat(wire.text("RateLimit-Policy")).isEqualTo(policy);
        assertThat(wire.limits().get(0).integer("r")).isZero();
        assertThat(wire.limits().get(0).integer("t")).isEqualTo(wire.number("Retry-After"));
    }

    @Test
    void of_otherUnits_areTold() {
        Limiter limiter = limiter(api(
                Limit.tokenBucket(1_000, MINUTE).unit("tokens"),
                Limit.fixedWindow(9, MINUTE).unit("größe \"\\%")));
        Wire wire = Wire.of(limiter.decide(ANYBODY.cost("tokens", 400).cost("größe \"\\%", 2)));

        assertThat(wire.policies())
                .extracting(member -> member.parameters().get("qu"))
                .containsExactly("tokens", "gr%C3%B6%C3%9Fe \"\\%25");
        assertThat(wire.limits()).extracting(member -> member.integer("r")).containsExactly(600L, 7L);
    }

    /** While there are slots nobody knows when there will be more; once there are none the first will be free by then. */
    @Test
    void of_slots_haveAWindowOnlyWhereTheyDeny() {
        Limiter limiter = limiter(api(Limit.concurrency(1, Duration.ofMillis(2_500))));

        assertThat(Wire.of(limiter.decide(ANYBODY)).text("RateLimit")).isEqualTo("\"api\";r=0");
        assertThat(Wire.of(limiter.decide(ANYBODY)).text("RateLimit")).isEqualTo("\"api\";r=0;t=3");
    }

    @Test
    void of_effectiveWindow_isUntilAllIsBackButNeverAboveTheRate() {
        Limiter fixed = limiter(api(Limit.fixedWindow(60, MINUTE)));
        assertThat(Wire.of(decide(fixed, 10)).text("RateLimit")).isEqualTo("\"api\";r=50;t=50");
        assertThat(Wire.of(decide(fixed, 30)).text("RateLimit")).isEqualTo("\"api\";r=20;t=39");

        Limiter bucket = limiter(api(Limit.tokenBucket(60, MINUTE)));
        assertThat(Wire.of(decide(bucket, 10)).text("RateLimit")).isEqualTo("\"api\";r=50;t=50");
        assertThat(Wire.of(decide(bucket, 50)).text("RateLimit")).isEqualTo("\"api\";r=0;t=60");

        Limiter sliding = limiter(api(Limit.slidingWindow(60, MINUTE)));
        assertThat(Wire.of(decide(sliding, 60)).text("RateLimit")).isEqualTo("\"api\";r=0;t=60");

        assertThat(Wire.of(bucket.peek(Request.of("user", "new").cost("requests", 0)))
                        .text("RateLimit"))
                .isEqualTo("\"api\";r=60;t=60");
    }

    @Test
    void of_severalLimits_nearestToExhaustionFirstAndPoliciesInTheirOrder() {
        Policy api = api(Limit.tokenBucket(100, MINUTE), Limit.fixedWindow(4, Duration.ofHours(1)));
        Policy all = Policy.named("all").limit(Limit.slidingLog(1_000, MINUTE));
        Wire wire = Wire.of(decide(limiter(all, api), 2));

        assertThat(wire.policies())
                .extracting(Wire.Member::name)
                .containsExactly("all", "api/token_bucket-1m", "api/fixed_window-1h");
        assertThat(wire.limits())
                .extracting(Wire.Member::name)
                .containsExactly("api/fixed_window-1h", "all", "api/token_bucket-1m");
        assertThat(wire.number("X-RateLimit-Limit")).isEqualTo(4);
        assertThat(wire.number("X-RateLimit-Remaining")).isEqualTo(2);
    }

    @Test
    void of_severalThatDeny_theOneThatTakesLongestFirst() {
        Limiter limiter = limiter(api(Limit.fixedWindow(1, MINUTE), Limit.fixedWindow(1, Duration.ofHours(1))));
        Wire wire = Wire.of(decide(limiter, 2));

        assertThat(wire.limits())
                .extracting(Wire.Member::name)
                .containsExactly("api/fixed_window-1h", "api/fixed_window-1m");
        assertThat(wire.limits()).extracting(member -> member.integer("t")).containsExactly(1359L, 39L);
        assertThat(wire.number("Retry-After")).isEqualTo(1359);
        assertThat(wire.number("X-RateLimit-Reset"))
                .isEqualTo(Instant.parse("2025-06-18T14:00:00Z").getEpochSecond());
    }

    @Test
    void of_namesakes_areToldApart() {
        Limit limit = Limit.fixedWindow(10, MINUTE);
        Policy policy =
                Policy.named("a/b").limit(limit, "user").limit(limit, "ip").limit(limit.id("fixed_window-1m/2"));
        Policy other = Policy.named("a").limit(limit.id("b"));
        Limiter limiter = limiter(policy, other);
        limiter.decide(ANYBODY.with("ip", "c"));
        Wire wire = Wire.of(limiter.decide(ANYBODY.with("ip", "b")));

        assertThat(wire.limits())
                .filteredOn(member -> member.integer("r") == 9)
                .extracting(Wire.Member::name)
                .containsExactly("a%2Fb/fixed_window-1m/2");
        assertThat(wire.policies())
                .extracting(Wire.Member::name)
                .containsExactly("a%2Fb/fixed_window-1m", "a%2Fb/fixed_window-1m/2", "a%2Fb/fixed_window-1m%2F2", "a");
    }

    @Test
    void of_namesThatAreNotAscii_areEscapedAndStayApart() {
        List<String> names = List.of("ü", "%C3%BC", "a\"b\\c", "\uD800", "\uDC00", "\uD83D\uDE00", "a\nb", "a\u007f");
        Policy[] policies = names.stream()
                .map(name -> Policy.named(name).limit(Limit.fixedWindow(10, MINUTE), "user"))
                .toArray(Policy[]::new);

        assertThat(Wire.of(limiter(policies).decide(ANYBODY)).policies())
                .extracting(Wire.Member::name)
                .containsExactly(
                        "%C3%BC", "%25C3%25BC", "a\"b\\c", "%ED%A0%80", "%ED%B0%80", "%F0%9F%98%80", "a%0Ab", "a%7F");
    }

    @Test
    void of_hiddenAndShadowLimits_neverAppear() {
        PolicyLimit hidden = PolicyLimit.of(Limit.fixedWindow(1, MINUTE).id("secret"))
                .by("user")
                .exposure(Terms.Exposure.HIDDEN);
        Policy shadow = Policy.named("shadow")
                .limit(Limit.fixedWindow(1, MINUTE), "user")
                .shadow();
        Policy lockout = Policy.named("lockout")
                .limit(PolicyLimit.of(Limit.of(new Lockout(9, MINUTE, MINUTE, "")))
                        .by("user")
                        .cost(0));
        Limiter limiter = limiter(api(Limit.tokenBucket(100, MINUTE)).limit(hidden), shadow, lockout);

        Wire allowed = Wire.of(limiter.decide(ANYBODY));
        Decision decision = limiter.decide(ANYBODY);
        Wire denied = Wire.of(decision);

        assertThat(decision.isAllowed()).isFalse();
        assertThat(allowed.text("RateLimit-Policy")).isEqualTo("\"api\";q=100;w=60");
        assertThat(allowed.text("RateLimit")).isEqualTo("\"api\";r=99;t=60");
        assertThat(denied.text("RateLimit-Policy")).isEqualTo("\"api\";q=100;w=60");
        assertThat(denied.text("RateLimit")).isEqualTo("\"api\";r=99;t=60");
        assertThat(denied.number("X-RateLimit-Remaining")).isEqualTo(99);
        assertThat(denied.number("Retry-After")).isEqualTo(39);
    }

    @Test
    void of_nothingToTell_sendsNeitherListNorTrio() {
        PolicyLimit hidden =
                PolicyLimit.of(Limit.fixedWindow(1, MINUTE)).by("user").exposure(Terms.Exposure.HIDDEN);
        Limiter limiter = limiter(Policy.named("api").limit(hidden));

        assertThat(Wire.of(limiter.decide(ANYBODY)).fields()).isEmpty();
        assertThat(Wire.of(limiter.decide(ANYBODY)).fields())
                .isEqualTo(Map.of("Retry-After", "39", "Cache-Control", "no-store"));
    }

    @Test
    void of_block_tellsItsEndAndNothingElseOfIt() {
        Limiter limiter = limiter(Policy.named("login")
                .limit(PolicyLimit.of(Limit.slidingLog(1, SECOND)).by("user").blockFor(Duration.ofMinutes(10))));

        Decision struck = decide(limiter, 2);
        clock.advance(Duration.ofSeconds(30));
        Decision blocked = limiter.decide(ANYBODY);

        assertThat(((Denied) struck).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Wire.of(struck).number("Retry-After")).isEqualTo(600);
        assertThat(Wire.of(struck).text("RateLimit")).isEqualTo("\"login\";r=0;t=1");
        assertThat(((Denied) blocked).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Wire.of(blocked).number("Retry-After")).isEqualTo(570);
        assertThat(Wire.of(blocked).text("RateLimit-Policy")).isEqualTo("\"login\";q=1;w=1");
        assertThat(Wire.of(blocked).text("RateLimit")).isEqualTo("\"login\";r=1;t=1");
    }

    @Test
    void of_costAboveCapacity_hasNoRetryAfter() {
        Wire wire = Wire.of(limiter(api(Limit.tokenBucket(60, MINUTE))).decide(ANYBODY.cost("requests", 61)));

        assertThat(wire.text("RateLimit")).isEqualTo("\"api\";r=60;t=60");
        assertThat(wire.text("Retry-After")).isNull();
        assertThat(wire.text("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void of_storeFull_tellsPoliciesAndAGuess() {
        MemoryEngine engine = MemoryEngine.builder()
                .clock(clock)
                .maxKeys(1)
                .whenFull(WhenFull.DENY)
                .build();
        Limiter limiter = limiter(engine, api(Limit.tokenBucket(60, MINUTE)));
        limiter.decide(ANYBODY);
        Denied denied = (Denied) limiter.decide(Request.of("user", "b"));

        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL);
        assertThat(Wire.of(denied).text("RateLimit-Policy")).isEqualTo("\"api\";q=60;w=60");
        assertThat(Wire.of(denied).text("RateLimit")).isNull();
        assertThat(Wire.of(denied).text("X-RateLimit-Limit")).isNull();
        assertThat(Wire.of(denied).number("Retry-After")).isPositive();
    }

    /** The process's share of 60 among four is 15; the policies stay what they are. */
    @Test
    void of_fallback_tellsTheSharesUnderTheSameNames() {
        Policy policy = api(Limit.tokenBucket(60, MINUTE), Limit.fixedWindow(80, MINUTE))
                .limit(Limit.fixedWindow(80, MINUTE))
                .onStoreFailure(FailureMode.LOCAL);
        FailingStore store =
                new FailingStore(MemoryEngine.builder().clock(clock).build());
        Guard guard = Guard.around(store).nodes(4).clock(clock).timer(clock).build();
        Limiter limiter = limiter(guard, policy);
        Wire before = Wire.of(limiter.decide(ANYBODY));
        store.fails = true;
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            decisions.add(limiter.decide(ANYBODY));
        }

        assertThat(decisions).extracting(Decision::decidedBy).containsOnly(DecidedBy.FALLBACK);
        Decision denied = decisions.get(15);
        assertThat(denied.isAllowed()).isFalse();
        assertThat(((Denied) denied).retry()).isInstanceOf(Retry.Estimate.class);
        for (Decision decision : decisions) {
            Wire wire = Wire.of(decision);
            assertThat(wire.text("RateLimit-Policy")).isEqualTo(before.text("RateLimit-Policy"));
            assertThat(wire.limits())
                    .isNotEmpty()
                    .allSatisfy(limit -> assertThat(limit.integer("r")).isLessThan(20));
            assertThat(before.limits()).extracting(Wire.Member::name).containsAll(names(wire.limits()));
        }
        Wire last = Wire.of(denied);
        assertThat(last.limits().get(0).name()).isEqualTo("api/token_bucket-1m");
        assertThat(last.number("X-RateLimit-Limit")).isEqualTo(15);
        assertThat(last.limits().get(0).integer("t")).isEqualTo(last.number("Retry-After"));
    }

    private static List<String> names(List<Wire.Member> members) {
        return members.stream().map(Wire.Member::name).toList();
    }

    /** A store that answers until it is told to fail. */
    private static final class FailingStore extends ForwardingEngine {
        private boolean fails;

        FailingStore(Engine inner) {
            super(inner);
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            if (fails) {
                throw new IllegalStateException("the store is gone");
            }
            return super.carryOut(call);
        }
    }

    @Test
    void of_closedFallback_tellsPoliciesAndAGuess() {
        FailingStore store =
                new FailingStore(MemoryEngine.builder().clock(clock).build());
        store.fails = true;
        Guard guard = Guard.around(store).nodes(4).clock(clock).timer(clock).build();
        Denied denied =
                (Denied) limiter(guard, api(Limit.tokenBucket(60, MINUTE)).onStoreFailure(FailureMode.CLOSED))
                        .decide(ANYBODY);

        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED);
        assertThat(Wire.of(denied).text("RateLimit-Policy")).isEqualTo("\"api\";q=60;w=60");
        assertThat(Wire.of(denied).text("RateLimit")).isNull();
        assertThat(Wire.of(denied).number("Retry-After")).isPositive();
    }

    /** The cache looks only at what denies; names and policies must not show that. */
    @Test
    void of_denyCache_namesStayTheSame() {
        Engine engine = DenyCache.builder(MemoryEngine.builder().clock(clock).build())
                .clock(clock)
                .build();
        Limiter limiter = limiter(engine, api(Limit.tokenBucket(600, MINUTE), Limit.fixedWindow(1, MINUTE)));
        limiter.decide(ANYBODY);
        Wire byStore = Wire.of(limiter.decide(ANYBODY));
        Decision cached = limiter.decide(ANYBODY);
        Wire byCache = Wire.of(cached);

        assertThat(cached.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(byCache.text("RateLimit-Policy")).isEqualTo(byStore.text("RateLimit-Policy"));
        assertThat(byCache.limits()).hasSize(1);
        assertThat(byCache.limits().get(0)).isEqualTo(byStore.limits().get(0));
    }

    @Test
    void of_waits_areRoundedUpToAtLeastOneSecond() {
        Limiter limiter = limiter(api(Limit.fixedWindow(1, MINUTE)));
        clock.set(Instant.parse("2025-06-18T13:37:59.999999Z"));
        assertThat(Wire.of(decide(limiter, 2)).number("Retry-After")).isEqualTo(1);
        clock.set(Instant.parse("2025-06-18T13:38:58Z"));
        assertThat(Wire.of(decide(limiter, 2)).number("Retry-After")).isEqualTo(2);
        clock.set(Instant.parse("2025-06-18T13:39:57.999999Z"));
        Decision denied = decide(limiter, 2);
        assertThat(Wire.of(denied).number("Retry-After")).isEqualTo(3);
        assertThat(Wire.of(denied).number("X-RateLimit-Reset"))
                .isEqualTo(Instant.parse("2025-06-18T13:40:00Z").getEpochSecond());
        assertThat(Wire.of(denied, FieldChoices.USUAL.reset(ResetForm.DELTA)).number("X-RateLimit-Reset"))
                .isEqualTo(3);
    }

    @Test
    void of_jitter_addsUpToThatManySecondsToRetryAfterOnly() {
        Decision denied = decide(limiter(api(Limit.fixedWindow(1, MINUTE))), 2);
        DecisionFields fields = new DecisionFields(FieldChoices.USUAL.retryJitterSeconds(3), new SplittableRandom(42));
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Wire wire = Wire.of(fields.of(denied));
            waits.add(wire.number("Retry-After"));
            assertThat(wire.limits().get(0).integer("t")).isEqualTo(39);
        }

        assertThat(waits).contains(39L, 40L, 41L, 42L).allMatch(wait -> wait >= 39 && wait <= 42);
    }

    @Test
    void of_familiesSwitchedOff_areNotSent() {
        Decision denied = decide(limiter(api(Limit.fixedWindow(1, MINUTE))), 2);

        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of())).fields())
                .isEmpty();
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.RATE_LIMIT)))
                        .fields())
                .containsOnlyKeys("RateLimit-Policy", "RateLimit");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.X_RATE_LIMIT)))
                        .fields())
                .containsOnlyKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.RETRY_AFTER)))
                        .fields())
                .containsOnlyKeys("Retry-After");
        assertThat(Wire.of(denied, FieldChoices.USUAL.families(Set.of(Family.CACHE_CONTROL)))
                        .fields())
                .containsOnlyKeys("Cache-Control");
    }

    @Test
    void choices_badJitter_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldChoices.USUAL.retryJitterSeconds(-1))
                .withMessage("retryJitterSeconds: -1 (expected: >= 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldChoices.USUAL.retryJitterSeconds(86_401))
                .withMessage("retryJitterSeconds: 86401 (expected: <= 86400)");
    }

    @Test
    void of_numbersAboveStructuredFields_areTheLargestThereIs() {
        long most = 1L << 52;
        Limiter limiter = limiter(
                api(Limit.fixedWindow(most, MINUTE)),
                Policy.named("slow").limit(Limit.tokenBucket(2, Algorithm.LONGEST), "user"));
        Wire wire = Wire.of(limiter.decide(ANYBODY));

        assertThat(wire.policies().get(0).integer("q")).isEqualTo(RateLimitFields.LARGEST);
        assertThat(wire.limits()).extracting(limit -> limit.integer("r")).containsExactly(1L, RateLimitFields.LARGEST);
        assertThat(wire.policies().get(1).integer("w")).isEqualTo(Algorithm.LONGEST.toSeconds());
        assertThat(wire.limits().get(0).integer("t")).isEqualTo(Algorithm.LONGEST.toSeconds() / 2);
    }
}
