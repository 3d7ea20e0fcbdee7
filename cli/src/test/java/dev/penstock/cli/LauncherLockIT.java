package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several commands of the launcher at once, in one directory. Maven is a program here that waits at a gate. */
class LauncherLockIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String WAITING = "Waiting for another penstock command that is building here ...";

    @TempDir
    Path directory;

    private Path clone;

    @BeforeEach
    void makeClone() throws Exception {
        clone = Files.createDirectory(directory.resolve("clone"));
        Files.copy(ROOT.resolve("penstock"), clone.resolve("penstock"));
        Files.copy(ROOT.resolve("pom.xml"), clone.resolve("pom.xml"));
        Files.createDirectories(clone.resolve("core/target"));
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Files.writeString(programs.resolve("mvn"), """
                #!/bin/sh
                echo "$*" >>../maven.log
                read -r line <../gate
                """);
        Bash made = Bash.run(directory, """
                chmod +x programs/mvn && mkfifo gate && mkdir without-flock &&
                ln -s $(find /usr/local/bin /usr/bin /bin -maxdepth 1 ! -name flock ! -name mvn ! -type d) without-flock/ 2>/dev/null
                rm -f without-flock/flock; ls without-flock | wc -l""");
        assertThat(Integer.parseInt(made.out().strip())).isPositive();
    }

    /** Starts a command as if no build were running, with Java and the Maven of this test on the path. */
    private Process start(String name, String path, String command) throws IOException {
        String program = "unset _PENSTOCK_BUILDS; export JAVA_HOME='" + System.getProperty("java.home") + "' PATH='"
                + directory.resolve("programs") + "':" + path + "; exec ./penstock " + command;
        return Bash.start(clone, Redirect.to(directory.resolve(name).toFile()), "-c", program);
    }

    private String read(String name) throws IOException {
        Path file = directory.resolve(name);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private void openGate() throws Exception {
        Bash.run(directory, "echo >gate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$PATH", "without-flock"})
    void secondCommand_waits_andLeavesTheReportsOfTheFirst(String path) throws Exception {
        String used = path.startsWith("$") ? path : "'" + directory.resolve(path) + "'";
        Path report = Files.createDirectories(clone.resolve("core/target/surefire-reports"))
                .resolve("first.txt");
        Process first = start("first", used, "format");
        await().atMost(LONG).until(() -> read("maven.log").contains("spotless"));
        Files.writeString(report, "a report of the first");

        Process second = start("second", used, "test --quick -pl core");
        try {
            await().atMost(LONG).until(() -> read("second").contains(WAITING));
            assertThat(report).exists();
            assertThat(read("maven.log")).hasLineCount(1);

            openGate();
            assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(first.exitValue()).as(read("first")).isZero();
            await().atMost(LONG).until(() -> read("maven.log").contains("--fail-at-end"));
            assertThat(report).doesNotExist();
            openGate();
            assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            first.destroyForcibly();
            second.destroyForcibly();
        }
    }

    @Test
    void lockOfAKilledCommand_isNamed() throws Exception {
        Path left = Files.createDirectories(clone.resolve("target/build.lock.d"));
        Files.writeString(left.resolve("owner"), "99999999\n"); // above the highest process id
        Process process = start("err", "'" + directory.resolve("without-flock") + "'", "format");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(read("err"))
                .isEqualTo("penstock: " + left + ": left by a command that was killed (expected: no such directory;"
                        + " remove it)\n");
    }
}
