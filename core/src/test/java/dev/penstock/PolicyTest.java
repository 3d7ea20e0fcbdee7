package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Denied.Action;
import dev.penstock.Policy.Consistency;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.internal.CounterName;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.PolicyVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final FailurePlan BOUNDED = FailurePlan.of(FailureMode.LOCAL).atMost(MINUTE, FailureMode.OPEN);

    @Test
    void match_matchingPolicies_areChargedTogether() {
        PolicySet set = Policy.setOf(
                Policy.named("a").limit(Limit.tokenBucket(1, MINUTE), "user"),
                Policy.named("b").when(r -> r.attribute("route") != null).limit(Limit.fixedWindow(2, MINUTE)));
        assertThat(set.match(Request.of("user", "u")).charges())
                .extracting(charge -> charge.settings().policy())
                .containsExactly("a");
        assertThat(set.match(Request.of("user", "u").with("route", "/")).charges())
                .extracting(charge -> charge.settings().policy())
                .containsExactly("a", "b");
    }

    @Test
    void match_onePolicyWithOneLimit_matchesLikeSeveral() {
        Policy policy = Policy.named("a").limit(Limit.tokenBucket(5, MINUTE), "user");
        Request request = Request.of("user", "u").cost("requests", 3).id("x");
        Ask alone = Policy.setOf(policy).match(request);
        Ask beside = Policy.setOf(policy, Policy.named("b")).match(request);
        assertThat(alone.toString()).isEqualTo(beside.toString());
        assertThat(alone.charge(0).key()).isEqualTo(beside.charge(0).key());
        assertThat(alone.id()).isEqualTo("x");
    }

    @Test
    void limit_moreChargesThanOneRequestMayMake_isRejected() {
        Policy policy = Policy.named("p");
        for (int i = 0; i < Ask.MOST_CHARGES / 2; i++) {
            policy =
                    policy.limit(PolicyLimit.of(Limit.tokenBucket(1 + i, MINUTE).id("l" + i))
                            .by("user")
                            .blockFor(MINUTE));
        }
        Policy full = policy;
        assertThat(Policy.setOf(full).match(Request.of("user", "u")).charges()).hasSize(32);
        assertThatThrownBy(() -> full.limit(Limit.fixedWindow(1, MINUTE), "user"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("limits: 33 limits with 32 blocks (expected: at most 64 limits and blocks)");
    }

    @Test
    void settings_returnAllChoices() {
        Policy policy = Policy.named("p")
                .shadow()
                .action(Action.CHALLENGE)
                .onStoreFailure(BOUNDED)
                .consistency(Consistency.LEASED)
                .replicas(2)
                .colocate("tenant")
                .limit(PolicyLimit.of(Limit.tokenBucket(1, MINUTE))
                        .by("user")
                        .local()
                        .exposure(LimitSettings.Exposure.HIDDEN));
        Charge charge = Policy.setOf(policy)
                .match(Request.of("user", "u").with("tenant", "t"))
                .charge(0);
        LimitSettings expected = LimitSettings.of("p", Limit.tokenBucket(1, MINUTE))
                .enforcement(Enforcement.SHADOW)
                .action(Action.tag("challenge"))
                .onStoreFailure(BOUNDED)
                .consistency(Consistency.LEASED)
                .replicas(2)
                .place(LimitSettings.Place.LOCAL)
                .exposure(LimitSettings.Exposure.HIDDEN)
                .keyAttributes(List.of("tenant", "user"));
        assertThat(charge.settings()).isEqualTo(expected).hasSameHashCodeAs(expected);
        assertThat(charge.colocation()).isEqualTo("t");
        assertThat(charge.key().counter()).isEqualTo("p/1m/tenant+user");
    }

    @Test
    void onStoreFailure_ofALimit_overridesThePolicys() {
        PolicyLimit codes =
                PolicyLimit.of(Limit.fixedWindow(5, MINUTE)).by("user").onStoreFailure(BOUNDED);
        Policy policy = Policy.named("p")
                .onStoreFailure(FailureMode.CLOSED)
                .limit(codes.exposure(LimitSettings.Exposure.HIDDEN))
                .limit(Limit.tokenBucket(1, MINUTE), "user");
        Ask ask = Policy.setOf(policy).match(Request.of("user", "u"));
        assertThat(ask.charge(0).settings().onStoreFailure()).isEqualTo(BOUNDED);
        assertThat(ask.charge(1).settings().onStoreFailure()).isEqualTo(FailurePlan.of(FailureMode.CLOSED));
    }

    @Test
    void usesShares_localAtSomeTime() {
        assertThat(BOUNDED.usesShares()).isTrue();
        FailurePlan open = FailurePlan.of(FailureMode.OPEN);
        assertThat(open.usesShares()).isFalse();
        assertThat(open.atMost(MINUTE, FailureMode.CLOSED).usesShares()).isFalse();
        assertThat(open.atMost(MINUTE, FailureMode.LOCAL).usesShares()).isTrue();
    }

    @Test
    void settings_thatDifferInOneChoice_areNotEqual() {
        LimitSettings settings = LimitSettings.of("p", Limit.tokenBucket(1, MINUTE));
        assertThat(List.of(
                        LimitSettings.of("q", settings.limit()),
                        settings.limit(Limit.tokenBucket(2, MINUTE)),
                        settings.enforcement(Enforcement.SHADOW),
                        settings.action(Action.DELAY),
                        settings.onStoreFailure(FailureMode.OPEN),
                        settings.onStoreFailure(BOUNDED),
                        settings.onStoreFailure(BOUNDED.unseen(FailurePlan.Unseen.ONE)),
                        settings.onStoreFailure(BOUNDED.atMost(MINUTE, FailureMode.CLOSED)),
                        settings.consistency(Consistency.LEASED),
                        settings.place(LimitSettings.Place.LOCAL),
                        settings.exposure(LimitSettings.Exposure.HIDDEN),
                        settings.replicas(1),
                        settings.block(BlockRule.lasting(MINUTE)),
                        settings.block(new BlockRule(2, MINUTE, MINUTE)),
                        settings.version(new PolicyVersion(1, "abc"))))
                .doesNotHaveDuplicates()
                .doesNotContain(settings);
        assertThat(settings.version(new PolicyVersion(1, "abc")).version(null)).isEqualTo(settings);
    }

    @Test
    void counter_named_isTheSameInEveryModule() {
        Limit limit = Limit.tokenBucket(1, MINUTE).id("a/b");
        Charge charge = Policy.setOf(Policy.named("p%").limit(limit, "x+y", "z"))
                .match(Request.of("x+y", "1").with("z", "2"))
                .charge(0);
        assertThat(charge.key().counter())
                .isEqualTo("p%25/a%2Fb/x%2By+z")
                .isEqualTo(CounterName.of("p%", limit, List.of("x+y", "z")));
    }

    @Test
    void key_attributeMissing_isTreatedAsDeclared() {
        PolicyLimit byUser = PolicyLimit.of(Limit.tokenBucket(1, MINUTE)).by("user");
        Request anonymous = Request.of("ip", "::1");
        PolicyLimit refusing = byUser.whenMissing(WhenMissing.REFUSE);
        assertThatThrownBy(() -> Limiter.of(Policy.named("p").limit(refusing)).decide(anonymous))
                .hasMessage("attribute user: null (expected: a value, because p/1m/user counts by it)");

        Limiter skipping = Limiter.of(Policy.named("p").limit(byUser.whenMissing(WhenMissing.SKIP)));
        assertThat(skipping.decide(anonymous).limits()).isEmpty();
        assertThat(skipping.decide(anonymous).isAllowed()).isTrue();

        Limiter sharing = Limiter.of(Policy.named("p").limit(byUser)); // the default
        assertThat(sharing.decide(anonymous).isAllowed()).isTrue();
        Decision shared = sharing.decide(Request.empty());
        assertThat(shared.isAllowed()).isFalse();
        assertThat(shared.limits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.missing()).containsExactly("user"));
        assertThat(sharing.decide(Request.of("user", "ann")).limits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.missing()).isEmpty());
        assertThat(sharing.decide(Request.of("user", "")).isAllowed()).isTrue();
        assertThat(sharing.decide(Request.of("user", "-".repeat(129))).isAllowed())
                .isTrue();
    }

    @Test
    void cost_isTheRequestsOrThePolicys() {
        PolicyLimit tokens = PolicyLimit.of(Limit.tokenBucket(1_000, MINUTE).unit("tokens"));
        assertThatThrownBy(() -> Limiter.of(Policy.named("p").limit(tokens)).decide(Request.empty()))
                .hasMessage("cost of tokens: null (expected: stated by the request or the policy)");
        PolicySet set = Policy.setOf(Policy.named("p").limit(tokens.cost(40)));
        assertThat(set.match(Request.empty()).charge(0).cost()).isEqualTo(40);
        assertThat(set.match(Request.empty().cost("tokens", 7)).charge(0).cost())
                .isEqualTo(7);
        assertThat(set.match(Request.empty().cost("requests", 7)).charge(0).cost())
                .isEqualTo(40);
    }

    @Test
    void counter_named_isSharedBetweenPolicies() {
        Limit limit = Limit.fixedWindow(1, MINUTE);
        Limiter limiter = Limiter.of(
                Policy.named("a")
                        .when(r -> "a".equals(r.attribute("route")))
                        .limit(PolicyLimit.of(limit).by("user").counter("heavy")),
                Policy.named("b")
                        .when(r -> "b".equals(r.attribute("route")))
                        .limit(PolicyLimit.of(limit).by("user").counter("heavy")));
        Request request = Request.of("user", "u");
        assertThat(limiter.decide(request.with("route", "a")).isAllowed()).isTrue();
        assertThat(limiter.decide(request.with("route", "b")).isAllowed()).isFalse();
    }

    @Test
    void colocate_keepsChargesOfOneValueTogether() {
        Policy policy = Policy.named("p")
                .colocate("tenant")
                .limit(Limit.tokenBucket(10, Duration.ofMinutes(1)), "tenant")
                .limit(Limit.tokenBucket(5, Duration.ofMinutes(1)), "user");
        Request request = Request.of("tenant", "acme").with("user", "ann");
        assertThat(Policy.setOf(policy).match(request).charges())
                .extracting(Charge::colocation)
                .containsExactly("acme", "acme");
        assertThat(Policy.setOf(policy).match(request).charges())
                .extracting(Charge::key)
                .containsExactly(Key.of("p/1m/tenant", "acme"), Key.of("p/1m/tenant+user", List.of("acme", "ann")));
        assertThat(Policy.setOf(policy).match(Request.of("user", "ann")).charges())
                .allSatisfy(charge -> assertThat(charge.missing()).containsExactly("tenant"))
                .extracting(Charge::colocation)
                .containsExactly(null, null);
    }

    @Test
    void defaultIds_ofTwoRatesOnOneKey_areTwoCounters() {
        Limiter limiter = Limiter.of(Policy.named("p")
                .limit(Limit.fixedWindow(2, Duration.ofDays(1)), "user")
                .limit(Limit.fixedWindow(1, Duration.ofHours(1)), "user"));
        assertThat(limiter.decide(Request.of("user", "u")).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(1L, 0L);
    }

    @Test
    void defaultCounters_ofNamesWithTheSameJoinedText_areTwo() {
        Limit limit = Limit.fixedWindow(1, MINUTE);
        Limiter limiter = Limiter.of(
                Policy.named("a").limit(limit.id("b/c"), "user"),
                Policy.named("a/b").limit(limit.id("c"), "user"));
        assertThat(limiter.decide(Request.of("user", "u")).isAllowed()).isTrue();
    }
}
