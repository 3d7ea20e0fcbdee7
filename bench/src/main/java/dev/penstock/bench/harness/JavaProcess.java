package dev.penstock.bench.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs a main class in another JVM of the same kind with the same class path. */
public final class JavaProcess {
    private JavaProcess() {}

    /** Runs it to its end and returns its trimmed output. Its standard error goes to the log. */
    public static String run(Class<?> main, List<String> jvmArguments, List<String> arguments, PrintStream log)
            throws BenchFailure {
        List<String> command = command(main, jvmArguments, arguments);
        String name = main.getSimpleName() + " " + String.join(" ", arguments);
        try {
            Process process = new ProcessBuilder(command).start();
            CompletableFuture<byte[]> complaints = CompletableFuture.supplyAsync(() -> all(process.getErrorStream()));
            byte[] output = process.getInputStream().readAllBytes();
            log.write(complaints.join());
            int status = process.waitFor();
            if (status != 0) {
                throw new BenchFailure(name + " ended with status " + status + " (see bench/target/bench.log)");
            }
            return new String(output, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new BenchFailure(name + " could not be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure(name + " was interrupted", e);
        }
    }

    /** Starts it. Its standard error is appended to the log. */
    public static Process start(Class<?> main, List<String> jvmArguments, List<String> arguments, Path log)
            throws BenchFailure {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return new ProcessBuilder(command(main, jvmArguments, arguments))
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new BenchFailure(main.getSimpleName() + " could not be started", e);
        }
    }

    private static List<String> command(Class<?> main, List<String> jvmArguments, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(jvmArguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    private static byte[] all(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
