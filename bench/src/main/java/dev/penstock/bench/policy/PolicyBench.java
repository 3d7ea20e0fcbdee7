package dev.penstock.bench.policy;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import dev.penstock.bench.harness.ScoreTable;
import java.util.List;
import java.util.Map;

/** The benchmark {@code policy}: one case, in which Penstock is compared with itself at other sizes. */
public final class PolicyBench implements Benchmark {
    private static final String TEN = "ten_policies";
    private static final String HUNDRED = "hundred_policies";
    private static final String THOUSAND = "thousand_policies";
    private static final String TEN_THOUSAND = "ten_thousand_policies";
    private static final String TENANTS = "ten_thousand_tenants";

    /** Every request must have its three charges. Otherwise the case is invalid. */
    private static final BenchCase SELECT = new BenchCase(
                    "select", new ForkedJvm(Selecting.class), new AllowedShare(1, 1))
            .inRatio(TEN, HUNDRED, THOUSAND, TEN_THOUSAND, TENANTS)
            .expecting(
                    Expectation.toldCost("hundred_policies_vs_ten", HUNDRED, TEN),
                    Expectation.cost("thousand_policies_vs_ten", THOUSAND, TEN, 3),
                    Expectation.toldCost("ten_thousand_policies_vs_ten", TEN_THOUSAND, TEN),
                    Expectation.toldCost("ten_thousand_tenants_vs_none", TENANTS, TEN));

    @Override
    public String name() {
        return "policy";
    }

    @Override
    public List<BenchCase> cases() {
        return List.of(SELECT);
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.IN_PROCESS;
    }

    @Override
    public Map<String, Object> conditions() {
        return ForkedJvm.conditions();
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench policy [OPTIONS]

            Measures the time to select a request's charges from 10 to 10,000 policies, and with 10,000 tenants. Prints
            a table, and writes bench/results/policy.json after a full run. bench/README.md explains what is measured
            and how.

            Options:
              --quick       one short round of less than a minute, instead of about five
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
