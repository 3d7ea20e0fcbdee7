package dev.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The temporary directory of one server process, with its configuration, data and log. Deleted with the server. */
record ServerDirectory(Path path) {
    private static final int LOG_LINES_QUOTED = 30;

    static ServerDirectory create() {
        try {
            ServerDirectory directory = new ServerDirectory(Files.createTempDirectory("penstock-server-"));
            Files.createFile(directory.config());
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the configuration file, which is empty at first. Servers that change their configuration, such as
     * Sentinels, write it there.
     */
    Path config() {
        return path.resolve("server.conf");
    }

    Path log() {
        return path.resolve("server.log");
    }

    /** Returns the end of the log. */
    String logTail() {
        try {
            List<String> lines =
                    Files.readString(log(), StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_QUOTED), lines.size()));
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the keys that a replica wrote during its first sync or that a test saved. */
    void forgetKeys() {
        try {
            Files.deleteIfExists(path.resolve("dump.rdb"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
