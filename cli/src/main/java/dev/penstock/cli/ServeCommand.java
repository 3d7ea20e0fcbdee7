package dev.penstock.cli;

import dev.penstock.cli.log.ServiceLog;
import dev.penstock.policy.PolicyCounts;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.server.LogFormat;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.SettingErrors;
import dev.penstock.server.SettingsInForce;
import dev.penstock.server.SettingsReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code penstock serve}: runs the service until it is stopped. */
@Command(
        name = ServeCommand.NAME,
        sortOptions = false,
        customSynopsis = "penstock serve [--policies=PATH]... [--redis=URI] [--config=FILE] [SETTINGS]",
        description = {
            "Serves decisions over HTTP until it receives SIGTERM or SIGINT. Requests in progress are finished.",
            "Each setting can also be given in the --config file or as an environment variable: --admin-port is"
                    + " PENSTOCK_ADMIN_PORT. Flags override the file, and the file overrides variables. Tokens are"
                    + " never flags: use PENSTOCK_TOKENS, PENSTOCK_ADMIN_TOKEN, or files."
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:The settings were shown.",
            "1:The service could not start.",
            "2:The settings are invalid.",
            "143:Stopped by SIGTERM, after finishing requests in progress; 130 for SIGINT."
        },
        footer = {
            "  penstock serve --policies policies.yaml",
            "  penstock serve --policies policies/ --redis redis://localhost:6379",
            "  penstock serve --config penstock.yaml --print-config"
        })
final class ServeCommand extends PenstockCommand {
    static final String NAME = "serve";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A YAML file of settings; default: the one that PENSTOCK_CONFIG names, if any.")
    private @Nullable Path config;

    @Option(
            names = "--print-config",
            description = "Show every setting and where it comes from, and exit. Secrets are hidden.")
    private boolean printConfig;

    @Option(names = "--json", description = "With --print-config: show a JSON object.")
    private boolean json;

    private ServeCommand(Surroundings surroundings) {
        super(surroundings);
    }

    static CommandLine commandLine(Surroundings surroundings) {
        CommandLine line = new CommandLine(new ServeCommand(surroundings));
        SettingOptions.addTo(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() throws IOException, UsageError, Failure {
        if (json && !printConfig) {
            throw new UsageError("--json", "without --print-config", "--print-config --json");
        }
        SettingsInForce read;
        try {
            read = read();
        } catch (SettingErrors e) {
            if (json) {
                SettingsReport.errorsAsJson(surroundings.out(), e);
            } else {
                SettingsReport.errors(surroundings.err(), e);
            }
            return ExitCode.USAGE;
        }
        if (!printConfig) {
            return serve(read);
        } else if (json) {
            SettingsReport.json(surroundings.out(), read);
        } else {
            SettingsReport.table(surroundings.out(), read);
        }
        return ExitCode.OK;
    }

    private SettingsInForce read() throws SettingErrors {
        SettingsReader reader = SettingsReader.of(surroundings.environment()).examples(surroundings.examples());
        if (config != null) {
            reader.config(config);
        }
        if (spec != null) {
            reader.flags(SettingOptions.given(spec.commandLine().getParseResult()));
        }
        return reader.read();
    }

    private int serve(SettingsInForce read) throws Failure {
        Hangup hangup = Hangup.caught();
        ServiceLog.use(read.settings().logFormat());
        PenstockServer server;
        try {
            server = start(read.settings());
        } catch (PolicyErrors e) {
            FileErrors.print(surroundings.err(), e.errors());
            return ExitCode.SOFTWARE;
        }
        Thread ending = new Thread(server::close, "penstock-ending");
        Runtime.getRuntime().addShutdownHook(ending);
        hangup.onEach(server::reload);
        try {
            print(read.settings(), server);
            new CountDownLatch(1).await(); // until the process ends, or the code that embeds this command interrupts it
        } catch (InterruptedException e) {
            Runtime.getRuntime().removeShutdownHook(ending);
            server.close();
        }
        return ExitCode.OK;
    }

    private static PenstockServer start(ServerSettings settings) throws PolicyErrors, Failure {
        try {
            return PenstockServer.open(settings);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private void print(ServerSettings settings, PenstockServer server) {
        ServingNotice notice = new ServingNotice(settings, server);
        PolicyCounts counts = server.policies().policies().counts();
        String policies = Plural.of(counts.policies(), "policy") + " of " + Plural.of(counts.files(), "file")
                + ", hash " + server.policies().version().hash();
        if (settings.logFormat() == LogFormat.JSON) {
            LoggerFactory.getLogger(ServeCommand.class).info("serving {} with {}", notice.address(), policies);
            return;
        }
        notice.print(surroundings.out(), policies);
        if (settings.policies().equals(surroundings.examples())
                && settings.tls() == null
                && settings.tokens().isEmpty()) {
            notice.tellTries(surroundings.out());
        }
    }
}
