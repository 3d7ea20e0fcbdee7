package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher with the jar that was just built, as users do. */
class LauncherIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    Path directory;

    @Test
    void demo_atTerm_printsTheSummaryAndLeavesNoFiles() throws Exception {
        Path work = Files.createDirectory(directory.resolve("work"));
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(
                        "bash",
                        ROOT.resolve("penstock").toString(),
                        "demo",
                        "--redis",
                        "--port",
                        "0",
                        "--admin-port",
                        "0")
                .directory(work.toFile())
                .redirectError(err.toFile())
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).as(Files.readString(err)).startsWith("Open http://127.0.0.1:");
            String line;
            String policies = "";
            while ((line = out.readLine()) != null && !line.startsWith("00:05  scanner")) {
                policies = line.startsWith("policies ") ? line.split(" +", -1)[1] : policies;
            }
            assertThat(Path.of(policies)).exists();
            List<ProcessHandle> redis = process.descendants().toList();
            assertThat(redis).isNotEmpty();

            process.toHandle().destroy(); // the output of the process can still be read

            assertThat(out.lines()).last().asString().startsWith("all ");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("ended by SIGTERM").isEqualTo(143);
            assertThat(redis).noneMatch(ProcessHandle::isAlive);
            assertThat(Path.of(policies).getParent()).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
        assertThat(work).isEmptyDirectory();
        assertThat(err).isEmptyFile();
    }
}
