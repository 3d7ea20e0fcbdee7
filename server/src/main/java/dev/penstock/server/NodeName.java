package dev.penstock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The display name of a node: the name of the machine and the main port. It never uses DNS. */
final class NodeName {
    private static final String VARIABLE = "HOSTNAME";
    private static final Path FILE = Path.of("/etc/hostname");
    private static final int LONGEST = 100;

    private NodeName() {}

    static String of(int port) {
        String host = System.getenv(VARIABLE);
        if (host == null || host.isBlank()) {
            host = fromFile();
        }
        String plain = host.strip().replaceAll("[^A-Za-z0-9._-]", "");
        return plain.substring(0, Math.min(LONGEST, plain.length())) + ":" + port;
    }

    private static String fromFile() {
        try {
            return Files.isRegularFile(FILE) ? Files.readString(FILE) : "localhost";
        } catch (IOException e) {
            return "localhost";
        }
    }
}
