package dev.penstock.cli;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs programs in this machine's bash. The launcher needs bash, so the tests fail without it. */
record Bash(int status, String out) {
    /** Runs a program to its end. Its standard error is discarded. */
    static Bash run(Path directory, String program) throws IOException, InterruptedException {
        Process process = start(directory, Redirect.DISCARD, "-c", program);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Bash(process.waitFor(), out);
    }

    /** Starts bash without a locale and without input. */
    static Process start(Path directory, Redirect err, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectError(err);
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
