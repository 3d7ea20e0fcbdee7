package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.server.OpenApiBook.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Schemathesis (PyPI) makes requests from the OpenAPI description, valid and invalid ones, and checks every answer of the
 * service against it. The links of the description lead it from a decision to its permit.
 */
class SchemathesisIT {
    private static final Path PACKAGES =
            Path.of("../target/tools/schemathesis/packages").toAbsolutePath().normalize();

    /** Both runs together take about 20 seconds on an idle machine. */
    private static final Duration AT_MOST = Duration.ofMinutes(3);

    @TempDir
    private Path directory;

    private String run(Place place, int port, int examples, String... more) throws Exception {
        assumeTrue(
                Files.isDirectory(PACKAGES.resolve("schemathesis")),
                "no Schemathesis: ./penstock test fetches it if Python is there");
        Path config = Path.of("src/test/resources/dev/penstock/server/schemathesis.toml")
                .toAbsolutePath();
        Path part = Files.writeString(
                directory.resolve("openapi.json"),
                OpenApiBook.shipped().partOf(place).toString());
        List<String> command = new ArrayList<>(List.of(
                "python3",
                "-m",
                "schemathesis.cli",
                "--config-file",
                config.toString(),
                "run",
                part.toString(),
                "--url",
                "http://127.0.0.1:" + port,
                "--seed",
                "42",
                "--generation-database",
                "none",
                "--max-examples",
                Integer.toString(examples),
                "--continue-on-failure",
                "--no-color"));
        command.addAll(List.of(more));
        Path out = directory.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("PYTHONPATH", PACKAGES.toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(AT_MOST.toSeconds(), TimeUnit.SECONDS))
                    .as(Files.readString(out))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String report = Files.readString(out);
        assertThat(process.exitValue()).as(report).isZero();
        return report;
    }

    private PenstockServer start() throws Exception {
        return PenstockServer.start(TestService.settings(Path.of("../examples/public-api.yaml"))
                .withPermits(new PermitSettings(PermitSettings.LONGEST))
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), 0, 0)));
    }

    @Test
    void mainPort_answersAsDescribed_alsoAboutPermits() throws Exception {
        try (PenstockServer server = start()) {
            String report = run(Place.MAIN_PORT, server.port(), 40);

            assertThat(report).containsPattern("Stateful").doesNotContain("Errored");
        }
    }

    /** The stream of live decisions never ends. */
    @Test
    void adminPort_answersAsDescribed() throws Exception {
        try (PenstockServer server = start()) {
            run(Place.ADMIN_PORT, server.adminPort(), 25, "--exclude-path", "/admin/decisions");
        }
    }
}
