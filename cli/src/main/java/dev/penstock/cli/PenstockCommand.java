package dev.penstock.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** What every command has: help, a version, how its help is headed, and where it runs. */
@Command(mixinStandardHelpOptions = true, versionProvider = CliVersion.class, footerHeading = "%nExamples:%n")
abstract class PenstockCommand implements Callable<Integer> {
    final Surroundings surroundings;

    PenstockCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }
}
