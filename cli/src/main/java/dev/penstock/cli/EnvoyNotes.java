package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.envoy.EnvoyRules;

/** What files of envoyproxy/ratelimit say to no effect, there as here: no error, but hardly meant. */
final class EnvoyNotes {
    private EnvoyNotes() {}

    static void tell(Output err, EnvoyRules rules) {
        rules.ignored()
                .forEach(each ->
                        err.text(Tone.ASIDE, "ignored: ").text(each.toString()).end());
    }
}
