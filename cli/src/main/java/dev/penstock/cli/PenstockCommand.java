package dev.penstock.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The common parts of every command: help, version, the heading of its examples, and its environment. */
@Command(mixinStandardHelpOptions = true, versionProvider = CliVersion.class, footerHeading = "%nExamples:%n")
abstract class PenstockCommand implements Callable<Integer> {
    final Surroundings surroundings;

    PenstockCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }
}
