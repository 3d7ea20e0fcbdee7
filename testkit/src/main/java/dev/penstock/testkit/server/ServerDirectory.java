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

/** The temporary directory of one server process, with its configuration, its data and its log. Deleted with the server. */
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

    /** A file that is empty at first: a server that changes its mind, as Sentinels do, keeps that here. */
    Path config() {
        return path.resolve("server.conf");
    }

    Path log() {
        return path.resolve("server.log");
    }

    /** The end of the log. */
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

    /** Forgets the keys that a replica wrote down when it was filled, or a test had saved. */
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
