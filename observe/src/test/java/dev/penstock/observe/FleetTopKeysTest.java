package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.observe.TopKeysReport.OfPolicy;
import dev.penstock.spi.Key;
import dev.penstock.spi.PolicySet;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetTopKeysTest {
    private static final PolicySet POLICIES =
            Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(10, Duration.ofDays(1)), "user"));

    private static TopKeys asked(ManualClock clock, Map<String, Integer> times) {
        TopKeys topKeys = new TopKeys(clock, 1_000);
        try (Limiter limiter =
                Limiter.builder(POLICIES).clock(clock).listener(topKeys).build()) {
            times.forEach((user, count) -> {
                for (int i = 0; i < count; i++) {
                    limiter.decide(Request.of("user", user));
                }
            });
        }
        return topKeys;
    }

    @Test
    void report_canBeWrittenAndReadBack() {
        ManualClock clock = new ManualClock();
        TopKeys topKeys = asked(clock, Map.of("ann \"\n", 15, "bob", 3));
        clock.advance(Duration.ofSeconds(7));
        TopKeysReport report = topKeys.report(10);

        assertThat(TopKeysText.read(TopKeysText.write(report, 10_000))).isEqualTo(report);
        assertThat(report.span()).isEqualTo(Duration.ofSeconds(7));
        OfPolicy users = report.policies().get(0);
        assertThat(users.asked().topKeys()).hasSize(2);
        assertThat(users.denied().topKeys()).singleElement().matches(topKey -> topKey.count() == 5);
    }

    @Test
    void keysThatDoNotFit_areLeftOut_andIncludedInLeast() {
        List<OfPolicy> policies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<TopKey> topKeys = new ArrayList<>();
            for (int k = 0; k < 16; k++) {
                topKeys.add(new TopKey(Key.of("counter", "user-" + k), 100 - k, 0));
            }
            policies.add(new OfPolicy("policy-" + i, new TopKeyList(topKeys, 7), TopKeyList.NONE));
        }

        String text = TopKeysText.write(new TopKeysReport(Duration.ofSeconds(1), 1, policies), 5_000);

        assertThat(text).hasSizeLessThanOrEqualTo(5_000);
        TopKeysReport read = TopKeysText.read(text);
        assertThat(read).isNotNull();
        assertThat(read.policies()).hasSize(20).allSatisfy(each -> {
            int told = each.asked().topKeys().size();
            assertThat(told).isBetween(1, 15);
            assertThat(each.asked().least()).isEqualTo(100 - told);
        });
    }

    @Test
    void policiesThatDoNotFit_areLeftOut_leastRequestedFirst() {
        List<OfPolicy> policies = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            TopKey topKey = new TopKey(Key.of("counter", "user"), i, 0);
            policies.add(new OfPolicy("policy-" + i, new TopKeyList(List.of(topKey), 0), TopKeyList.NONE));
        }
        String text = TopKeysText.write(new TopKeysReport(Duration.ofSeconds(1), 1, policies), 1_000);

        assertThat(text).hasSizeLessThanOrEqualTo(1_000).contains("policy-99").doesNotContain("policy-0\"");
        assertThat(TopKeysText.read(text)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[",
                "[1,2]x",
                "[1,[\"a\"]]",
                "[1,[\"a\",[1,\"c\",\"%\",1,1],[0]]]",
                "[1,[\"a\",[0,\"\",\"\",1,1],[0]]]"
            })
    void unreadableText_isNull(String text) {
        TopKeysReport read = TopKeysText.read(text);
        assertThat(read == null || read.policies().isEmpty()).isTrue();
    }

    @Test
    void nodes_areCountedTogether_withinTheSumOfTheirBounds() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("nodes"));
        Map<String, Long> exact = new HashMap<>();
        List<TopKeysReport> reports = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            Map<String, Integer> times = new HashMap<>();
            for (int i = 0; i < 3_000; i++) {
                times.merge("user-" + (int) (300 * Math.pow(random.nextDouble(), 3)), 1, Integer::sum);
            }
            times.forEach((user, count) -> exact.merge(user, (long) count, Long::sum));
            reports.add(TopKeysText.read(
                    TopKeysText.write(asked(new ManualClock(), times).report(FleetTopKeys.MOST_POSTED), 65_536)));
        }

        TopKeysReport all = TopKeysReport.together(reports, 10);

        assertThat(all.nodes()).isEqualTo(3);
        TopKeyList top = all.policies().get(0).asked();
        assertThat(top.topKeys()).hasSize(10);
        for (TopKey topKey : top.topKeys()) {
            assertThat(exact.get(topKey.key().values().get(0))).isBetween(topKey.atLeast(), topKey.count());
        }
        exact.forEach((user, count) -> {
            boolean isTold = top.topKeys().stream()
                    .anyMatch(topKey -> topKey.key().values().contains(user));
            assertThat(isTold || count <= top.least()).isTrue();
        });
    }
}
