package dev.penstock.server.internal.fields;

import static dev.penstock.server.internal.fields.Deciding.ANYBODY;
import static dev.penstock.server.internal.fields.Deciding.MINUTE;
import static dev.penstock.server.internal.fields.Deciding.SECOND;
import static dev.penstock.server.internal.fields.Deciding.api;
import static dev.penstock.server.internal.fields.Deciding.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.LimitSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The limits in the header fields, their order and their names. */
class ShownLimitsTest {
    private final Deciding deciding = new Deciding();

    @Test
    void of_severalLimits_nearestToExhaustionFirst_andPoliciesInOrder() {
        Policy api = api(Limit.tokenBucket(100, MINUTE), Limit.fixedWindow(4, Duration.ofHours(1)));
        Policy all = Policy.named("all").limit(Limit.slidingLog(1_000, MINUTE));
        Wire wire = Wire.of(decide(deciding.limiter(all, api), 2));

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
    void of_severalThatDeny_longestWaitFirst() {
        Limiter limiter =
                deciding.limiter(api(Limit.fixedWindow(1, MINUTE), Limit.fixedWindow(1, Duration.ofHours(1))));
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
    void of_sameNames_areDistinguished() {
        Limit limit = Limit.fixedWindow(10, MINUTE);
        Policy policy =
                Policy.named("a/b").limit(limit, "user").limit(limit, "ip").limit(limit.id("fixed_window-1m/2"));
        Policy other = Policy.named("a").limit(limit.id("b"));
        Limiter limiter = deciding.limiter(policy, other);
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
    void of_nonAsciiNames_areEscapedAndStayDifferent() {
        List<String> names = List.of("ü", "%C3%BC", "a\"b\\c", "\uD800", "\uDC00", "\uD83D\uDE00", "a\nb", "a\u007f");
        Policy[] policies = names.stream()
                .map(name -> Policy.named(name).limit(Limit.fixedWindow(10, MINUTE), "user"))
                .toArray(Policy[]::new);

        assertThat(Wire.of(deciding.limiter(policies).decide(ANYBODY)).policies())
                .extracting(Wire.Member::name)
                .containsExactly(
                        "%C3%BC", "%25C3%25BC", "a\"b\\c", "%ED%A0%80", "%ED%B0%80", "%F0%9F%98%80", "a%0Ab", "a%7F");
    }

    @Test
    void of_hiddenAndShadowLimits_neverAppear() {
        PolicyLimit hidden = PolicyLimit.of(Limit.fixedWindow(1, MINUTE).id("secret"))
                .by("user")
                .exposure(LimitSettings.Exposure.HIDDEN);
        Policy shadow = Policy.named("shadow")
                .limit(Limit.fixedWindow(1, MINUTE), "user")
                .shadow();
        Policy lockout = Policy.named("lockout")
                .limit(PolicyLimit.of(Limit.of(new Lockout(9, MINUTE, MINUTE, "")))
                        .by("user")
                        .cost(0));
        Limiter limiter = deciding.limiter(api(Limit.tokenBucket(100, MINUTE)).limit(hidden), shadow, lockout);

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
    void of_nothingToReport_sendsNeitherListsNorXRateLimit() {
        PolicyLimit hidden =
                PolicyLimit.of(Limit.fixedWindow(1, MINUTE)).by("user").exposure(LimitSettings.Exposure.HIDDEN);
        Limiter limiter = deciding.limiter(Policy.named("api").limit(hidden));

        assertThat(Wire.of(limiter.decide(ANYBODY)).fields()).isEmpty();
        assertThat(Wire.of(limiter.decide(ANYBODY)).fields())
                .isEqualTo(Map.of("Retry-After", "39", "Cache-Control", "no-store"));
    }

    @Test
    void of_block_revealsOnlyItsEnd() {
        Limiter limiter = deciding.limiter(Policy.named("login")
                .limit(PolicyLimit.of(Limit.slidingLog(1, SECOND)).by("user").blockFor(Duration.ofMinutes(10))));

        Decision struck = decide(limiter, 2);
        deciding.clock.advance(Duration.ofSeconds(30));
        Decision blocked = limiter.decide(ANYBODY);

        assertThat(((Denied) struck).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Wire.of(struck).number("Retry-After")).isEqualTo(600);
        assertThat(Wire.of(struck).text("RateLimit")).isEqualTo("\"login\";r=0;t=1");
        assertThat(((Denied) blocked).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Wire.of(blocked).number("Retry-After")).isEqualTo(570);
        assertThat(Wire.of(blocked).text("RateLimit-Policy")).isEqualTo("\"login\";q=1;w=1");
        assertThat(Wire.of(blocked).text("RateLimit")).isEqualTo("\"login\";r=1;t=1");
    }
}
