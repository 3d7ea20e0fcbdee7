package dev.penstock.testkit.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the executable that a {@link RedisServer} runs: the one in the system property {@code penstock.redis}, or the
 * one for this machine in the embedded-redis jar. The latter is copied once to a temporary file, which is deleted when
 * the JVM ends. No jar contains Valkey, so it must be on the PATH.
 */
final class RedisBinary {
    static final String PROPERTY = "penstock.redis";

    static final String VALKEY_VARIABLE = "PENSTOCK_VALKEY";

    private static final String VALKEY = "valkey-server";
    private static final String CARRIED = "/redis-server-7.0.15-";

    private static @Nullable Path copy;

    private RedisBinary() {}

    static Path path() {
        String chosen = System.getProperty(PROPERTY, "");
        if (chosen.isEmpty()) {
            return carried();
        }
        return executable(PROPERTY, chosen);
    }

    private static Path executable(String name, String chosen) {
        Path path = Path.of(chosen).toAbsolutePath();
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(
                    name + ": " + chosen + " (expected: the path of a redis-server or valkey-server)");
        }
        return path;
    }

    /** Returns the valkey-server that the environment names or that is on the PATH; null if there is none. */
    static @Nullable Path valkey(UnaryOperator<@Nullable String> environment) {
        String chosen = environment.apply(VALKEY_VARIABLE);
        if (chosen != null && !chosen.isEmpty()) {
            return executable(VALKEY_VARIABLE, chosen);
        }
        String path = environment.apply("PATH");
        for (String directory : path == null ? new String[0] : path.split(File.pathSeparator, -1)) {
            Path file = Path.of(directory, VALKEY).toAbsolutePath();
            if (!directory.isEmpty() && Files.isExecutable(file)) {
                return file;
            }
        }
        return null;
    }

    /** Returns the name of the binary in the jar for an operating system and a processor, as the JVM names them. */
    static String resource(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.contains("linux") ? "linux" : os.contains("mac") ? "darwin" : "";
        String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> "";
        };
        if (system.isEmpty() || processor.isEmpty()) {
            throw new IllegalStateException("no redis-server for " + osName + " on " + osArch
                    + " (expected: Linux or macOS on amd64 or arm64, or a path in the system property " + PROPERTY
                    + ")");
        }
        return CARRIED + system + "-" + processor;
    }

    private static synchronized Path carried() {
        Path known = copy;
        if (known == null) {
            known = copyOf(resource(System.getProperty("os.name", ""), System.getProperty("os.arch", "")));
            copy = known;
        }
        return known;
    }

    private static Path copyOf(String resource) {
        try (InputStream binary = RedisBinary.class.getResourceAsStream(resource)) {
            if (binary == null) {
                throw new IllegalStateException(
                        resource + ": not on the class path (expected: org.signal:embedded-redis with this binary)");
            }
            Path file = Files.createTempFile("penstock-redis-server-", "");
            file.toFile().deleteOnExit();
            Files.copy(binary, file, StandardCopyOption.REPLACE_EXISTING);
            if (!file.toFile().setExecutable(true)) {
                throw new IOException(file + ": cannot be made executable");
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
