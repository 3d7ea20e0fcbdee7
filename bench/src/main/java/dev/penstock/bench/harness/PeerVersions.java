package dev.penstock.bench.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The versions of all contenders, which the build writes into the jar. */
final class PeerVersions {
    private static final String RESOURCE = "peers.properties";

    private PeerVersions() {}

    static Map<String, String> read() {
        Properties properties = new Properties();
        try (InputStream in = PeerVersions.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + ": missing (expected: in the jar)");
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> versions = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> versions.put(name, properties.getProperty(name)));
        return versions;
    }
}
