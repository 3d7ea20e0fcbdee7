package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyCounts;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.json.PolicyCheckJson;
import dev.penstock.server.json.PolicyErrorJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock validate}: prints all errors of policy files, or a one-line summary. */
@Command(
        name = "validate",
        description = {"Checks policy files together as one set, and reports all errors.", "No secrets are needed."},
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:The files are valid.", "1:The files have errors.", "2:The command line is invalid."},
        footer = {
            "  penstock validate policies.yaml tenants.yaml",
            "  penstock validate --json /etc/penstock/policies",
            "  penstock validate --envoy ratelimit.yaml"
        })
final class ValidateCommand extends PenstockCommand {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files, or directories with *.yaml and *.yml files.")
    private List<Path> files = List.of();

    @Option(names = "--envoy", description = "The files are rules of envoyproxy/ratelimit.")
    private boolean envoy;

    @Mixin
    private final EnvoyOptions envoyOptions = new EnvoyOptions();

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    ValidateCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() throws IOException, UsageError {
        if (envoyOptions.isGiven() && !envoy) {
            throw new UsageError(EnvoyOptions.MERGE, "without --envoy", "--envoy " + EnvoyOptions.MERGE);
        }
        try {
            if (envoy) {
                print(envoyOptions.loader().load(files));
            } else {
                print(Policies.loader().withoutSecrets().load(files));
            }
            return ExitCode.OK;
        } catch (PolicyErrors e) {
            if (json) {
                write(false, body -> PolicyErrorJson.write(body, "errors", e.errors()));
            } else {
                FileErrors.print(surroundings.err(), e.errors());
            }
            return ExitCode.SOFTWARE;
        }
    }

    private void print(Policies policies) throws IOException {
        PolicyCounts counts = policies.counts();
        if (json) {
            write(true, body -> PolicyCheckJson.write(body, policies));
            return;
        }
        PolicyNotes.print(surroundings.err(), policies);
        valid(List.of(
                Plural.of(counts.files(), "file"),
                Plural.of(counts.policies(), "policy"),
                Plural.of(counts.limits(), "limit"),
                Plural.of(counts.plans(), "plan"),
                Plural.of(counts.tenants(), "tenant"),
                "hash " + policies.version().hash()));
    }

    private void print(EnvoyRules rules) throws IOException {
        if (json) {
            write(true, body -> {
                body.writeNumberField("domains", rules.domains().size());
                body.writeNumberField("rules", rules.size());
                body.writeStringField("hash", rules.version().hash());
                PolicyErrorJson.write(body, "ignored", rules.ignored());
            });
            return;
        }
        EnvoyNotes.print(surroundings.err(), rules);
        valid(List.of(
                Plural.of(rules.domains().size(), "domain"),
                Plural.of(rules.size(), "rule"),
                "hash " + rules.version().hash()));
    }

    private void valid(List<String> counts) {
        surroundings
                .out()
                .text(Tone.GOOD, "valid:")
                .text(" " + String.join(", ", counts))
                .end();
    }

    private void write(boolean valid, JsonDocument.Body rest) throws IOException {
        JsonDocument.write(surroundings.out(), (JsonGenerator body) -> {
            body.writeBooleanField("valid", valid);
            rest.write(body);
        });
    }
}
