package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher with the jar that was just built, as users do. */
class LauncherIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Commands that the docs show together with their output. */
    private static final Pattern SHOWN =
            Pattern.compile("```console\n\\$ \\./penstock ([^\n]*)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    private record Ended(int status, String out, String err) {}

    private Ended run(Path where, String... arguments) throws IOException, InterruptedException {
        Path err = directory.resolve("err");
        Process process = start(where, err, arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }

    private static Process start(Path where, Path err, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(ROOT.resolve("penstock").toString()));
        all.addAll(List.of(arguments));
        return Bash.start(where, Redirect.to(err.toFile()), all.toArray(String[]::new));
    }

    /** Runs the launcher from another directory. The process that it was started as receives signals. */
    @Test
    void serve_reloadsAtHangup_andEndsAtTerm() throws Exception {
        Path policies = Files.writeString(
                directory.resolve("p.yaml"),
                "version: 1\npolicies: [ { name: a, limits: [ { key: ip, token_bucket: 1/s } ] } ]\n");
        Path err = directory.resolve("err");
        Process process = start(directory, err, "serve", "--port", "0", "--admin-port", "0", "--policies", "p.yaml");
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String first = String.valueOf(out.readLine());
            assertThat(first).as(Files.readString(err)).startsWith("serving   http://localhost:");
            String address = first.substring(first.indexOf("http"));
            await().atMost(Duration.ofSeconds(60)).until(() -> HttpStatus.of(address + "/health/ready") == 200);

            Files.writeString(policies, "version: 1\nplans: 5\n");
            Bash.run(directory, "kill -HUP " + process.pid());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(Files.readString(err)).contains("p.yaml:2:8 plans: 5 (expected: "));
            assertThat(HttpStatus.of(address + "/health/live")).isEqualTo(200);

            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("ended by SIGTERM").isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Tests the launcher's function on files as Linux provides them in containers. */
    @TestFactory
    List<DynamicTest> memory_isThatOfTheContainer() throws Exception {
        String functions = Files.readString(ROOT.resolve("penstock"));
        String memory = functions.substring(functions.indexOf("memory_mb()"), functions.indexOf("# cmd_serve:"));
        return List.of(
                memoryTest(memory, "a machine", "0::/", "memory.max", "max", "-Xmx320m -XX:MaxDirectMemorySize=128m"),
                memoryTest(
                        memory,
                        "a container",
                        "0::/",
                        "memory.max",
                        "268435456",
                        "-Xmx64m -XX:MaxDirectMemorySize=21m"),
                memoryTest(
                        memory,
                        "a service of systemd",
                        "0::/a.service",
                        "a.service/memory.max",
                        "536870912",
                        "-Xmx128m"),
                memoryTest(
                        memory,
                        "a container, older kernel",
                        "9:cpu:/\n4:memory:/docker/1",
                        "memory/memory.limit_in_bytes",
                        "268435456",
                        "-Xmx64m"),
                memoryTest(
                        memory,
                        "no limit, older kernel",
                        "4:memory:/",
                        "memory/memory.limit_in_bytes",
                        "9223372036854771712",
                        "-Xmx320m"));
    }

    private DynamicTest memoryTest(
            String functions, String name, String groups, String file, String limit, String expected) {
        return DynamicTest.dynamicTest(name, () -> {
            Path root = Files.createTempDirectory(directory, "root");
            Path proc = Files.createDirectories(root.resolve("proc/self"));
            Files.writeString(proc.resolve("cgroup"), groups + "\n");
            Files.writeString(root.resolve("proc/meminfo"), "MemTotal:       24653204 kB\n");
            Path limited = root.resolve("sys/fs/cgroup").resolve(file);
            Files.createDirectories(limited.getParent());
            Files.writeString(limited, limit + "\n");
            Path script = Files.writeString(
                    root.resolve("script"),
                    "set -euo pipefail\n"
                            + functions.replace("/sys/", root + "/sys/").replace("/proc/", root + "/proc/")
                            + "memory_flags\n");
            Process process = Bash.start(root, Redirect.INHERIT, script.toString());
            String flags = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).isZero();
            assertThat(flags).contains(expected);
        });
    }

    @Test
    void serve_withoutPolicies_usesTheExamples() throws Exception {
        Ended ended = run(directory, "serve", "--print-config");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .containsPattern("\npolicies +" + ROOT.resolve("examples/public-api.yaml") + " +examples\n");
    }

    @Test
    void validate_relativePath_isRelativeToTheCaller() throws Exception {
        Files.writeString(directory.resolve("mine.yaml"), "version: 1\nplans: 5\n");

        Ended ended = run(directory, "validate", "mine.yaml");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).startsWith("mine.yaml:2:8 plans: 5 (expected: ").endsWith("1 error in 1 file\n");
    }

    @Test
    void explain_acceptsValuesBeyondAsciiInAnyLocale() throws Exception {
        Files.writeString(
                directory.resolve("größe.yaml"),
                "version: 1\ndefault: { limits: [ { key: user, token_bucket: 1/s } ] }\n");

        Ended ended = run(directory, "explain", "-p", "größe.yaml", "user=Jürgen");

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("user=Jürgen\n");
    }

    @Test
    void wrongCommand_isOneLine() throws Exception {
        Ended ended = run(directory, "explain", "--nothing");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith("penstock explain: --nothing: no such option")
                .hasLineCount(1);
    }

    @Test
    void help_listsEveryCommand() throws Exception {
        String help = run(directory, "--help").out();

        assertThat(help).contains("\n  demo ");
        for (String command : PenstockMain.commandLine(Surroundings.ofProcess())
                .getSubcommands()
                .keySet()) {
            assertThat(help).contains("\n  " + command);
            assertThat(run(directory, command, "--help").status()).as(command).isZero();
        }
    }

    @Test
    void admin_withoutAService_isOneLine() throws Exception {
        Ended ended = run(directory, "admin", "status", "--url", "http://127.0.0.1:9");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).startsWith("penstock admin status: ").hasLineCount(1);
    }

    @TestFactory
    List<DynamicTest> everyCommandInTheDocuments_answersAsShown() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String document : List.of("README.md", "docs/policies.md", "docs/reference/policy-language.md")) {
            Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve(document)));
            while (shown.find()) {
                String[] arguments = shown.group(1).split(" +");
                String answer = shown.group(2);
                tests.add(DynamicTest.dynamicTest(document + ": " + shown.group(1), () -> {
                    Ended ended = run(ROOT, arguments);
                    assertThat(ended.out() + ended.err()).isEqualTo(answer);
                }));
            }
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(2);
        return tests;
    }
}
