package dev.penstock.cli;

import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.cli.Output.Tone;
import dev.penstock.policy.Explanation;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.server.json.ExplanationJson;
import dev.penstock.server.json.PolicyErrorJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock explain}: explains how policies apply to a request. */
@Command(
        name = "explain",
        description = {
            "Explains how policies apply to a request: which match, why others do not, keys, limits, plan and cost.",
            "Nothing is charged, and Redis is not contacted. Secrets are read from their sources, if available."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:Explained.", "1:The files have errors.", "2:The command line is invalid."},
        footer = {
            "  penstock explain -p api.yaml -p tenants.yaml tenant=acme route=/api/reports",
            "  penstock explain -p policies/ user=alice route=/api/ask --cost tokens=1200",
            "  penstock explain -p policies/ user=alice route=/api/ask --repeat 100",
            "  penstock explain -p policies/ tenant=initech route=/api --at 2026-12-24"
        })
final class ExplainCommand extends PenstockCommand {
    @Option(
            names = {"-p", "--policies"},
            required = true,
            paramLabel = "FILE",
            description = "A policy file, or a directory with *.yaml and *.yml files. Can be given several times.")
    private List<Path> files = List.of();

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME=VALUE",
            description = "The request's attributes, such as route=/login.")
    private List<String> attributes = List.of();

    @Option(
            names = "--cost",
            paramLabel = "UNIT=NUMBER",
            description = "A cost that the caller states, such as tokens=1200. Can be given several times.")
    private List<String> costs = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "NUMBER",
            description = "Also show how this many identical requests at one moment would be decided.")
    private @Nullable String repeat;

    @Option(
            names = "--at",
            paramLabel = "MOMENT",
            description = "Explain as of this time, not now: 2026-12-24T00:00:00Z. Useful for overrides that end.")
    private @Nullable String at;

    @Option(names = "--json", description = "Print a JSON object.")
    private boolean json;

    /**
     * The loaded policies.
     *
     * @param missing why the key of the hashes is not available; empty if it is, or if none is needed
     */
    private record Loaded(Policies policies, List<PolicyError> missing) {}

    ExplainCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() throws IOException, UsageError {
        Request request = RequestText.parse(attributes, costs);
        long times = times();
        long nowMicros = at == null
                ? surroundings.clock().micros()
                : ChronoUnit.MICROS.between(Instant.EPOCH, RequestText.moment("--at", at));
        Clock standing = () -> nowMicros;
        try {
            Loaded loaded = load(standing);
            Explanation explanation = loaded.policies().explain(request);
            RequestTrial rehearsal = times == 0 ? null : RequestTrial.of(loaded.policies(), request, times, standing);
            print(loaded.missing(), explanation, rehearsal, Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS));
            return ExitCode.OK;
        } catch (IllegalArgumentException e) { // the policies cannot apply to this request
            throw new UsageError(String.valueOf(e.getMessage()));
        } catch (PolicyErrors e) {
            if (json) {
                JsonDocument.write(surroundings.out(), body -> PolicyErrorJson.write(body, "errors", e.errors()));
            } else {
                FileErrors.print(surroundings.err(), e.errors());
            }
            return ExitCode.SOFTWARE;
        }
    }

    private long times() throws UsageError {
        long times = repeat == null ? 0 : RequestText.number("--repeat", repeat);
        if (repeat != null && (times < 1 || times > RequestTrial.MOST)) {
            throw new UsageError("--repeat", repeat, "1 to " + RequestTrial.MOST);
        }
        return times;
    }

    /** Loads the policies. If only the secrets are missing, loads them with stand-ins. */
    private Loaded load(Clock clock) throws PolicyErrors {
        try {
            Policies.Loader loader = Policies.loader().environment(surroundings.environment()::get);
            return new Loaded(loader.clock(clock).load(files), List.of());
        } catch (PolicyErrors e) {
            return new Loaded(Policies.loader().withoutSecrets().clock(clock).load(files), e.errors());
        }
    }

    private void print(
            List<PolicyError> missing, Explanation explanation, @Nullable RequestTrial rehearsal, Instant moment)
            throws IOException {
        if (json) {
            JsonDocument.write(surroundings.out(), body -> {
                body.writeStringField("at", moment.toString());
                body.writeStringField("hashes", missing.isEmpty() ? "real" : "stand-in");
                ExplanationJson.write(body, explanation);
                if (rehearsal != null) {
                    RequestTrialJson.write(body, rehearsal);
                }
            });
            return;
        }
        for (PolicyError each : missing) {
            surroundings
                    .err()
                    .text(Tone.BAD, "the hashes shown are not the real ones:")
                    .text(" " + each)
                    .end();
        }
        new ExplanationText(surroundings.out()).write(explanation);
        if (rehearsal != null) {
            new RequestTrialText(surroundings.out()).write(rehearsal, moment);
        }
    }
}
