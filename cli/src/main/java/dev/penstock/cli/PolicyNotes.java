package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.Policies;

/** Prints notes on parts of policy files that are valid, but probably do not do what the author expects. */
final class PolicyNotes {
    private PolicyNotes() {}

    static void print(Output err, Policies policies) {
        policies.notes()
                .forEach(each ->
                        err.text(Tone.ASIDE, "note: ").text(each.toString()).end());
    }
}
