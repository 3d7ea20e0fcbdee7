package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.PolicyError;
import picocli.CommandLine.Command;

/** {@code penstock admin policies}: which policies a service uses. */
@Command(
        name = "policies",
        description = "Tells which policies are in use, and what is wrong with their files.",
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
    void tell(Output out, JsonNode answer) {
        inUse(out, answer);
    }

    /** The version in use, how much it says, and why the files as they are cannot be used. */
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

    private static void failure(Output out, JsonNode failure) {
        if (failure.isObject()) {
            out.text(
                            Tone.BAD,
                            "the files cannot be used since "
                                    + failure.path("at").asText())
                    .end();
        }
        for (JsonNode error : failure.path("errors")) {
            out.text("  " + text(error)).end();
        }
    }

    /** As the other commands tell it. */
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
