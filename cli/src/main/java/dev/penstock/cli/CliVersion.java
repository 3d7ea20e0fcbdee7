package dev.penstock.cli;

import dev.penstock.server.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
final class CliVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"penstock " + BuildVersion.text()};
    }
}
