package dev.penstock.bench.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.penstock.Request;
import dev.penstock.bench.load.Draw;
import dev.penstock.policy.Policies;
import dev.penstock.spi.Ask;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyMixTest {
    private static final int REQUESTS = 500;
    private static final int ROUNDS = 200;

    /** Smaller than any object. */
    private static final long TOLERANCE_BYTES = 8;

    @ParameterizedTest
    @CsvSource({"10, 0, 4", "100, 0, 20", "1000, 0, 200", "10000, 0, 400", "10, 10000, 4"})
    void requests_areChargedByThreePolicies_drawnFromTheirKind(int policies, int tenants, int differentAtLeast) {
        PolicyMix mix = new PolicyMix(policies, tenants);
        Policies loaded = mix.load();
        Draw draw = new Draw();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < REQUESTS; i++) {
            Ask ask = loaded.match(mix.request(draw));
            assertThat(ask.charges()).hasSize(PolicyMix.CHARGES);
            ask.charges().forEach(charge -> names.add(charge.settings().policy()));
        }

        assertThat(names).contains("all").hasSizeGreaterThanOrEqualTo(differentAtLeast);
    }

    @Test
    void tenants_haveTheNumbersOfTheirPlansAndOverrides() {
        PolicyMix mix = new PolicyMix(10, 10_000);
        Policies loaded = mix.load();
        Draw draw = new Draw();
        Set<Object> limits = new HashSet<>();
        for (int i = 0; i < REQUESTS; i++) {
            limits.add(loaded.match(mix.request(draw)).charge(0).settings().limit());
        }

        assertThat(limits).as("three plans and some overrides").hasSizeGreaterThan(10);
    }

    /**
     * Nothing is allocated for a policy that does not match: a request allocates the same with a thousand times as many
     * policies. The mixes alternate, so that the compiler has optimized the code equally for all.
     */
    @Test
    void match_manyPolicies_allocatesAsMuchAsWithFew() {
        Asked ten = new Asked(new PolicyMix(10, 0));
        Asked tenThousand = new Asked(new PolicyMix(10_000, 0));
        Asked tenants = new Asked(new PolicyMix(10, 10_000));
        for (int round = 0; round < ROUNDS; round++) {
            Stream.of(ten, tenThousand, tenants).forEach(Asked::round);
        }

        assertThat(ten.fewestBytes).isGreaterThan(TOLERANCE_BYTES);
        assertThat(tenThousand.fewestBytes).isCloseTo(ten.fewestBytes, within(TOLERANCE_BYTES));
        assertThat(tenants.fewestBytes).isCloseTo(ten.fewestBytes, within(TOLERANCE_BYTES));
    }

    /** Uses a mix and measures the bytes that a request allocates. */
    private static final class Asked {
        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        private final Policies policies;
        private final Request[] requests = new Request[REQUESTS];
        private long fewestBytes = Long.MAX_VALUE;

        Asked(PolicyMix mix) {
            policies = mix.load();
            Draw draw = new Draw();
            Arrays.setAll(requests, i -> mix.request(draw));
        }

        void round() {
            long thread = Thread.currentThread().getId();
            long charges = 0;
            long before = THREADS.getThreadAllocatedBytes(thread);
            for (Request request : requests) {
                charges += policies.match(request).size();
            }
            long bytes = THREADS.getThreadAllocatedBytes(thread) - before;
            assertThat(charges).isEqualTo(REQUESTS * PolicyMix.CHARGES);
            fewestBytes = Math.min(fewestBytes, bytes / REQUESTS);
        }
    }
}
