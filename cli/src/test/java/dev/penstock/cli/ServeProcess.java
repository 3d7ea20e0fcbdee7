package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code penstock serve} as a separate process, for tests of signals and of the log. */
final class ServeProcess implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Process process;
    private final Path out;
    private final Path err;

    private ServeProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it on free ports. Its output goes to files in the directory. */
    static ServeProcess start(Path directory, String... arguments) throws IOException {
        return start(directory, Path.of("").toAbsolutePath(), arguments);
    }

    /** Starts it like {@link #start(Path, String...)}, in another working directory. */
    static ServeProcess start(Path directory, Path where, String... arguments) throws IOException {
        Path out = directory.resolve("serve.out");
        Path err = directory.resolve("serve.err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dcom.linecorp.armeria.defaultUnloggedExceptionsReportIntervalMillis=50", // the default is much longer
                "-XX:TieredStopAtLevel=1", // the process runs for seconds
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                PenstockMain.class.getName(),
                "serve",
                "--port",
                "0",
                "--admin-port",
                "0"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new ServeProcess(process, out, err);
    }

    /** Returns the address of the service, once it serves. */
    String address() {
        return printed("serving +(\\S+)\n");
    }

    /** Returns the address of the admin port. */
    String adminAddress() {
        return printed("console +(\\S+)/console\n");
    }

    private String printed(String line) {
        Pattern serving = Pattern.compile(line);
        await().atMost(LONG).until(() -> serving.matcher(text(out)).find() || !process.isAlive());
        Matcher matcher = serving.matcher(text(out));
        assertThat(matcher.find()).as(text(err)).isTrue();
        return matcher.group(1);
    }

    String log() {
        return text(err);
    }

    void hangUp() throws Exception {
        assertThat(Bash.run(out.getParent(), "kill -HUP " + process.pid()).status())
                .isZero();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Stops it with SIGTERM and returns its exit status. */
    int terminate() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
