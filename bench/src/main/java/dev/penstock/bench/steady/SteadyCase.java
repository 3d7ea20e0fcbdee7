package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;

/**
 * One case of the benchmark.
 *
 * @param group the letter of the case in the documentation
 */
record SteadyCase(String group, String name, String title, Body body) {
    /** Runs a case with the shared resources. */
    interface Body {
        SteadyResult run(String name, SteadyRig rig) throws BenchFailure;
    }

    SteadyResult run(SteadyRig rig) throws BenchFailure {
        return body.run(name, rig);
    }
}
