package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.envoy.EnvoyRules;

/**
 * Reports words in envoyproxy/ratelimit's files that have no effect in either service. They are not errors, but
 * probably mistakes.
 */
final class EnvoyNotes {
    private EnvoyNotes() {}

    static void print(Output err, EnvoyRules rules) {
        rules.ignored()
                .forEach(each ->
                        err.text(Tone.ASIDE, "ignored: ").text(each.toString()).end());
    }
}
