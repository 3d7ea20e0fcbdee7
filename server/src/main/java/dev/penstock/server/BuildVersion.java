package dev.penstock.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build. */
public final class BuildVersion {
    private BuildVersion() {}

    public static String text() {
        Properties properties = new Properties();
        try (InputStream in = BuildVersion.class.getResourceAsStream("build.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }
}
