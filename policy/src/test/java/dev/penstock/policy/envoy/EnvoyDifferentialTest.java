package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Blocked;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import dev.penstock.policy.envoy.RandomRules.Node;
import dev.penstock.policy.envoy.RandomRules.Stars;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PolicySet;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares rules with a slow and simple search, and with the policies that they are converted into, on random rules and
 * descriptors. {@code -Dpenstock.seed=N} repeats an earlier run.
 */
class EnvoyDifferentialTest {
    private static final int FILES = 300;
    private static final int DESCRIPTORS = 60;

    private static SplittableRandom random(String what) {
        long seed = Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
        System.out.println(what + " from -Dpenstock.seed=" + seed);
        return new SplittableRandom(seed);
    }

    @Test
    void select_randomRules_findsTheSameAsASimpleSearch() throws PolicyErrors {
        SplittableRandom random = random("rules");
        int found = 0;
        for (int file = 0; file < FILES; file++) {
            RandomRules those = new RandomRules(random, file % 2 == 0 ? Stars.ANYWHERE : Stars.AT_THE_END);
            String yaml = those.yaml();
            EnvoyRules rules = EnvoyRules.parse("random.yaml", yaml);
            for (int i = 0; i < DESCRIPTORS; i++) {
                EnvoyDescriptor descriptor = those.descriptor();
                Node node = those.find(descriptor);
                EnvoyMatch match =
                        rules.select(RandomRules.DOMAIN, List.of(descriptor), 0).get(0);
                assertThat(limitOf(match))
                        .as("%s in%n%s", descriptor, yaml)
                        .isEqualTo(
                                node == null || node.limit() == null
                                        ? "none"
                                        : node.limit().replace("DAY", "day"));
                found += match instanceof Counted ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(FILES);
    }

    private static String limitOf(EnvoyMatch match) {
        if (match instanceof Counted counted) {
            return words(counted.rule());
        }
        if (match instanceof Blocked blocked) {
            return words(blocked.rule());
        }
        return match instanceof EnvoyMatch.Unlimited ? "unlimited: true" : "none";
    }

    private static String words(EnvoyRule rule) {
        EnvoyUnit unit = rule.unit();
        return "unit: " + (unit == null ? "" : unit.word()) + ", requests_per_unit: " + rule.requestsPerUnit();
    }

    @Test
    void convert_randomRules_decidesTheSameAsTheRules() throws PolicyErrors {
        SplittableRandom random = random("converted rules");
        int denied = 0;
        for (int file = 0; file < FILES; file++) {
            RandomRules those = new RandomRules(random, Stars.AT_THE_END);
            String yaml = those.yaml();
            EnvoyRules rules = EnvoyRules.parse("random.yaml", yaml);
            denied += compare(those, rules, EnvoyConverter.convert(rules), random);
        }
        assertThat(denied).isGreaterThan(FILES);
    }

    /** Returns the number of requests that both denied. */
    private static int compare(RandomRules those, EnvoyRules rules, String yaml, SplittableRandom random)
            throws PolicyErrors {
        ManualClock clock = new ManualClock();
        MemoryEngine engine = MemoryEngine.builder().clock(clock).maxKeys(1_000).build();
        PolicySet policies = Policies.parse("converted.yaml", yaml);
        int denied = 0;
        try (Limiter limiter = Limiter.builder(policies)
                .engine(MemoryEngine.builder().clock(clock).maxKeys(1_000).build())
                .build()) {
            for (int i = 0; i < DESCRIPTORS; i++) {
                EnvoyDescriptor descriptor = those.descriptor();
                Answer mine = byRules(rules, descriptor, engine);
                assertThat(Answer.of(limiter.decide(descriptor.request(RandomRules.DOMAIN, 0))))
                        .as("%s as%n%s", descriptor, yaml)
                        .isEqualTo(mine);
                denied += mine.allowed() ? 0 : 1;
                clock.advance(Duration.ofSeconds(random.nextInt(100)));
            }
        }
        return denied;
    }

    private static Answer byRules(EnvoyRules rules, EnvoyDescriptor descriptor, MemoryEngine engine) {
        EnvoyMatch match =
                rules.select(RandomRules.DOMAIN, List.of(descriptor), 0).get(0);
        if (match instanceof Blocked blocked) {
            return new Answer(!blocked.isOver(), 0);
        }
        return match instanceof Counted counted
                ? Answer.of(engine.decide(Ask.of(counted.charge())))
                : new Answer(true, 0);
    }

    private record Answer(boolean allowed, int shadowDenials) {
        static Answer of(Decision decision) {
            return new Answer(decision.isAllowed(), decision.shadowDenials().size());
        }
    }
}
