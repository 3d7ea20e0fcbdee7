package dev.penstock.cli;

import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyConverter;
import dev.penstock.policy.envoy.EnvoyRules;
import dev.penstock.server.json.PolicyErrorJson;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code penstock convert}: converts files of envoyproxy/ratelimit into a policy file that makes the same decisions.
 */
@Command(
        name = "convert",
        description = {
            "Converts files of envoyproxy/ratelimit into one policy file that makes the same decisions.",
            "Anything that policies cannot express is reported by name, and then nothing is written."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:Converted.",
            "1:The files have errors or cannot be converted.",
            "2:The command line is invalid."
        },
        footer = {"  penstock convert ratelimit.yaml > policies.yaml", "  penstock convert config/ -o policies.yaml"})
final class ConvertCommand extends PenstockCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files of envoyproxy/ratelimit, or directories with *.yaml and *.yml files.")
    private List<Path> files = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to this file, which must not exist, instead of the standard output.")
    private @Nullable Path output;

    @Option(names = "--force", description = "Overwrite the file if it exists.")
    private boolean force;

    @Mixin
    private final EnvoyOptions envoyOptions = new EnvoyOptions();

    @Option(names = "--json", description = "Print a JSON object: the policies, or what cannot be converted.")
    private boolean json;

    ConvertCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() throws IOException, UsageError, Failure {
        if (force && output == null) {
            throw new UsageError("--force", "without -o", "-o FILE --force");
        }
        try {
            EnvoyRules rules = envoyOptions.loader().load(files);
            String policies = EnvoyConverter.convert(rules);
            if (output != null) {
                save(output, policies);
            }
            print(rules, policies);
            return ExitCode.OK;
        } catch (PolicyErrors e) {
            print(e);
            return ExitCode.SOFTWARE;
        }
    }

    private void save(Path file, String policies) throws Failure {
        OpenOption[] options = force
                ? new OpenOption[] {
                    StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE
                }
                : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
        try {
            Files.writeString(file, policies, options);
        } catch (FileAlreadyExistsException e) {
            throw new Failure("-o: " + file + " exists (expected: a new file, or --force)");
        } catch (NoSuchFileException e) {
            throw new Failure("-o: " + file + " (expected: a file in a directory that exists)");
        } catch (IOException e) {
            throw new Failure("-o: " + file + " cannot be written: " + e.getMessage());
        }
    }

    private void print(EnvoyRules rules, String policies) throws IOException {
        if (json) {
            JsonDocument.write(surroundings.out(), body -> {
                body.writeBooleanField("converted", true);
                PolicyErrorJson.write(body, "ignored", rules.ignored());
                if (output == null) {
                    body.writeStringField("policies", policies);
                } else {
                    body.writeStringField("file", output.toString());
                }
            });
            return;
        }
        EnvoyNotes.print(surroundings.err(), rules);
        if (output == null) {
            surroundings.out().exact(policies).writer().flush();
        } else {
            surroundings.err().text(Tone.GOOD, "written:").text(" " + output).end();
        }
    }

    private void print(PolicyErrors refused) throws IOException {
        if (json) {
            JsonDocument.write(surroundings.out(), body -> {
                body.writeBooleanField("converted", false);
                PolicyErrorJson.write(body, "errors", refused.errors());
            });
        } else {
            FileErrors.print(surroundings.err(), refused.errors());
        }
    }
}
