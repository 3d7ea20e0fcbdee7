package dev.penstock.bench.policy;

import dev.penstock.Request;
import dev.penstock.bench.harness.Outcomes;
import dev.penstock.bench.load.Draw;
import dev.penstock.policy.Policies;
import dev.penstock.spi.Ask;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Selects the charges of requests. The number of matching policies is the same for any total number.
 *
 * <p>Requests are created in advance: creating them would cost the same for all and hide the difference.
 */
public class Selecting {
    private static final int REQUESTS = 1 << 10;

    /** The policies of a mix, with what threads need to use them. */
    abstract static class Mixed {
        private final PolicyMix mix;
        private final Policies policies;

        Mixed(int policies, int tenants) {
            mix = new PolicyMix(policies, tenants);
            this.policies = mix.load();
        }

        final Ask select(Asker asker, Outcomes outcomes) {
            Ask ask = policies.match(asker.next(mix));
            outcomes.note(ask.size() == PolicyMix.CHARGES);
            return ask;
        }
    }

    @State(Scope.Benchmark)
    public static class Ten extends Mixed {
        public Ten() {
            super(10, 0);
        }
    }

    @State(Scope.Benchmark)
    public static class Hundred extends Mixed {
        public Hundred() {
            super(100, 0);
        }
    }

    @State(Scope.Benchmark)
    public static class Thousand extends Mixed {
        public Thousand() {
            super(1_000, 0);
        }
    }

    @State(Scope.Benchmark)
    public static class TenThousand extends Mixed {
        public TenThousand() {
            super(10_000, 0);
        }
    }

    @State(Scope.Benchmark)
    public static class TenWithTenants extends Mixed {
        public TenWithTenants() {
            super(10, 10_000);
        }
    }

    /** One thread's requests, used repeatedly. */
    @State(Scope.Thread)
    public static class Asker {
        private final Draw draw = new Draw();
        private final Request[] requests = new Request[REQUESTS];
        private int at;

        final Request next(PolicyMix mix) {
            if (requests[0] == null) {
                for (int i = 0; i < REQUESTS; i++) {
                    requests[i] = mix.request(draw);
                }
            }
            at = (at + 1) & (REQUESTS - 1);
            return requests[at];
        }
    }

    @Benchmark
    public Ask tenPolicies(Ten policies, Asker asker, Outcomes outcomes) {
        return policies.select(asker, outcomes);
    }

    @Benchmark
    public Ask hundredPolicies(Hundred policies, Asker asker, Outcomes outcomes) {
        return policies.select(asker, outcomes);
    }

    @Benchmark
    public Ask thousandPolicies(Thousand policies, Asker asker, Outcomes outcomes) {
        return policies.select(asker, outcomes);
    }

    @Benchmark
    public Ask tenThousandPolicies(TenThousand policies, Asker asker, Outcomes outcomes) {
        return policies.select(asker, outcomes);
    }

    @Benchmark
    public Ask tenThousandTenants(TenWithTenants policies, Asker asker, Outcomes outcomes) {
        return policies.select(asker, outcomes);
    }
}
