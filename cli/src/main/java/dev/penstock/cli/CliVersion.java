package dev.penstock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that this was built as. */
final class CliVersion implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = CliVersion.class.getResourceAsStream("cli.properties")) {
            properties.load(in);
        }
        return new String[] {"penstock " + properties.getProperty("version")};
    }
}
