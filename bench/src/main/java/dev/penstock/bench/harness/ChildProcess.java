package dev.penstock.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Runs another program and reads its output. */
public final class ChildProcess {
    private ChildProcess() {}

    /** Returns the program's trimmed output; empty if it fails or cannot be run. */
    public static Optional<String> output(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(output.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
