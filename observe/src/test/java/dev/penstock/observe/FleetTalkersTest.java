package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicySet;
import dev.penstock.Request;
import dev.penstock.observe.TalkersReport.OfPolicy;
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

class FleetTalkersTest {
    private static final PolicySet POLICIES =
            PolicySet.of(Policy.named("users").limit(Limit.tokenBucket(10, Duration.ofDays(1)), "user"));

    private static Talkers asked(ManualClock clock, Map<String, Integer> times) {
        Talkers talkers = new Talkers(clock, 1_000);
        try (Limiter limiter =
                Limiter.builder(POLICIES).clock(clock).listener(talkers).build()) {
            times.forEach((user, count) -> {
                for (int i = 0; i < count; i++) {
                    limiter.decide(Request.of("user", user));
                }
            });
        }
        return talkers;
    }

    @Test
    void report_survivesItsText() {
        ManualClock clock = new ManualClock();
        Talkers talkers = asked(clock, Map.of("ann \"\n", 15, "bob", 3));
        clock.advance(Duration.ofSeconds(7));
        TalkersReport report = talkers.report(10);

        assertThat(TalkersText.read(TalkersText.write(report, 10_000))).isEqualTo(report);
        assertThat(report.span()).isEqualTo(Duration.ofSeconds(7));
        OfPolicy users = report.policies().get(0);
        assertThat(users.asked().talkers()).hasSize(2);
        assertThat(users.denied().talkers()).singleElement().matches(talker -> talker.count() == 5);
    }

    @Test
    void keysForWhichThereIsNoRoom_areLeftOut_andCountedAsThoseThatMayBeMissing() {
        List<OfPolicy> policies = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<Talker> talkers = new ArrayList<>();
            for (int k = 0; k < 16; k++) {
                talkers.add(new Talker(Key.of("counter", "user-" + k), 100 - k, 0));
            }
            policies.add(new OfPolicy("policy-" + i, new TopTalkers(talkers, 7), TopTalkers.NONE));
        }

        String text = TalkersText.write(new TalkersReport(Duration.ofSeconds(1), 1, policies), 5_000);

        assertThat(text).hasSizeLessThanOrEqualTo(5_000);
        TalkersReport read = TalkersText.read(text);
        assertThat(read).isNotNull();
        assertThat(read.policies()).hasSize(20).allSatisfy(each -> {
            int told = each.asked().talkers().size();
            assertThat(told).isBetween(1, 15);
            assertThat(each.asked().least()).isEqualTo(100 - told);
        });
    }

    @Test
    void policiesForWhichThereIsNoRoom_areLeftOut_thoseFirstThatAreAskedLess() {
        List<OfPolicy> policies = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Talker talker = new Talker(Key.of("counter", "user"), i, 0);
            policies.add(new OfPolicy("policy-" + i, new TopTalkers(List.of(talker), 0), TopTalkers.NONE));
        }
        String text = TalkersText.write(new TalkersReport(Duration.ofSeconds(1), 1, policies), 1_000);

        assertThat(text).hasSizeLessThanOrEqualTo(1_000).contains("policy-99").doesNotContain("policy-0\"");
        assertThat(TalkersText.read(text)).isNotNull();
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
    void textThatCannotBeRead_isNone(String text) {
        TalkersReport read = TalkersText.read(text);
        assertThat(read == null || read.policies().isEmpty()).isTrue();
    }

    @Test
    void nodes_areCountedTogether_withinTheSumOfTheirBounds() {
        SplittableRandom random = new SplittableRandom(TestSeed.printed("nodes"));
        Map<String, Long> exact = new HashMap<>();
        List<TalkersReport> reports = new ArrayList<>();
        for (int node = 0; node < 3; node++) {
            Map<String, Integer> times = new HashMap<>();
            for (int i = 0; i < 3_000; i++) {
                times.merge("user-" + (int) (300 * Math.pow(random.nextDouble(), 3)), 1, Integer::sum);
            }
            times.forEach((user, count) -> exact.merge(user, (long) count, Long::sum));
            reports.add(TalkersText.read(
                    TalkersText.write(asked(new ManualClock(), times).report(FleetTalkers.TOLD), 65_536)));
        }

        TalkersReport all = TalkersReport.together(reports, 10);

        assertThat(all.nodes()).isEqualTo(3);
        TopTalkers top = all.policies().get(0).asked();
        assertThat(top.talkers()).hasSize(10);
        for (Talker talker : top.talkers()) {
            assertThat(exact.get(talker.key().values().get(0))).isBetween(talker.atLeast(), talker.count());
        }
        exact.forEach((user, count) -> {
            boolean isTold = top.talkers().stream()
                    .anyMatch(talker -> talker.key().values().contains(user));
            assertThat(isTold || count <= top.least()).isTrue();
        });
    }
}
