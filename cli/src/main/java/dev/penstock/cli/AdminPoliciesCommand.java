package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.PolicyError;
import picocli.CommandLine.Command;

/** {@code penstock admin policies}: shows the policies that a service uses. */
@Command(
        name = "policies",
        description = "Shows the policies in use and the errors in their files.",
        footer = "  penstock admin policies")
final class AdminPoliciesCommand extends AdminCall {
    AdminPoliciesCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    JsonNode ask(AdminClient client) throws Failure {
        return client.get("/admin/policies");
    }

    @Override
    void print(Output out, JsonNode answer) {
        inUse(out, answer);
        past(out, answer);
        past(out, answer.path("envoy_rules"));
    }

    /** Prints the version in use, its size, and why the current files cannot be used. */
    static void inUse(Output out, JsonNode answer) {
        out.text(Tone.GOOD, "version " + answer.path("version").asText())
                .text(", hash " + answer.path("hash").asText() + ": ")
                .text(Plural.of(answer.path("policies").asLong(), "policy") + ", ")
                .text(Plural.of(answer.path("limits").asLong(), "limit") + " in ")
                .text(Plural.of(answer.path("files").asLong(), "file"))
                .end();
        JsonNode rules = answer.path("envoy_rules");
        if (rules.isObject()) {
            out.text("rules for Envoy: version " + rules.path("version").asText() + ", "
                            + Plural.of(rules.path("rules").asLong(), "rule"))
                    .end();
        }
        failure(out, answer.path("failure"));
        failure(out, rules.path("failure"));
    }

    /** Prints earlier rejected changes, one per line. The current failure was printed above. */
    private static void past(Output out, JsonNode answer) {
        for (JsonNode failure : answer.path("failures")) {
            if (!failure.equals(answer.path("failure"))) {
                JsonNode errors = failure.path("errors");
                String more = errors.size() > 1 ? " (and " + (errors.size() - 1) + " more)" : "";
                out.text(
                                Tone.ASIDE,
                                "could not be used at " + failure.path("at").asText())
                        .text(": " + text(errors.path(0)) + more)
                        .end();
            }
        }
    }

    private static void failure(Output out, JsonNode failure) {
        if (failure.isObject()) {
            out.text(
                            Tone.BAD,
                            "the files have been unusable since "
                                    + failure.path("at").asText())
                    .end();
        }
        for (JsonNode error : failure.path("errors")) {
            out.text("  " + text(error)).end();
        }
    }

    /** Formats an error as the other commands do. */
    static String text(JsonNode error) {
        return new PolicyError(
                        error.path("file").asText(),
                        error.path("line").asInt(),
                        error.path("column").asInt(),
                        error.path("path").asText(),
                        error.path("problem").asText(),
                        null)
                .toString();
    }
}
