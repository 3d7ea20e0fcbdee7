package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;

/**
 * One case of the benchmark.
 *
 * @param group the letter that the case has in the documentation
 */
record SteadyCase(String group, String name, String title, Body body) {
    /** Runs a case on what all of them share. */
    interface Body {
        SteadyResult run(String name, SteadyRig rig) throws BenchFailure;
    }

    SteadyResult run(SteadyRig rig) throws BenchFailure {
        return body.run(name, rig);
    }
}
