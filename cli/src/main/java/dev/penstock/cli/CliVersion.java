package dev.penstock.cli;

import dev.penstock.server.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The version that this was built as. */
final class CliVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"penstock " + BuildVersion.text()};
    }
}
