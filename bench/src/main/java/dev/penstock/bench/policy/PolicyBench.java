package dev.penstock.bench.policy;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import dev.penstock.bench.harness.ScoreTable;
import java.util.List;
import java.util.Map;

/** The benchmark {@code policy}: one case, in which Penstock contends with itself at other sizes. */
public final class PolicyBench implements Benchmark {
    private static final String TEN = "ten_policies";
    private static final String HUNDRED = "hundred_policies";
    private static final String THOUSAND = "thousand_policies";
    private static final String TEN_THOUSAND = "ten_thousand_policies";
    private static final String TENANTS = "ten_thousand_tenants";

    /** Each request has its three charges: nothing else would be this case. */
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

            Measures what it takes to select a request's charges from 10 to 10,000 policies, and with 10,000 tenants: a table
            at the end, and bench/results/policy.json after a whole run. What is measured, and how, is in bench/README.md.

            Options:
              --quick       one short round, under a minute; without it about five
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
