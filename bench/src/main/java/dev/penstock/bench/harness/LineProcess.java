package dev.penstock.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A main class in another JVM that prints one line at its start and one for each line it receives. Not thread-safe. */
public final class LineProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;
    private final String first;

    private LineProcess(Process process) throws BenchFailure {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.first = line();
    }

    /** Starts it and waits for its first line. Its standard error is appended to the log. */
    public static LineProcess start(Class<?> main, List<String> jvmArguments, List<String> arguments, Path log)
            throws BenchFailure {
        return new LineProcess(JavaProcess.start(main, jvmArguments, arguments, log));
    }

    /** Returns the line that it printed at its start. */
    public String first() {
        return first;
    }

    /** Sends an empty line and returns the answer. */
    public String ask() throws BenchFailure {
        orders.println();
        return line();
    }

    private String line() throws BenchFailure {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new BenchFailure("a service terminated (see bench/target/bench.log)");
            }
            return line;
        } catch (IOException e) {
            throw new BenchFailure("a service did not answer", e);
        }
    }

    /** Closes its input and waits until it ends. */
    @Override
    public void close() {
        orders.close();
        process.onExit().join();
    }
}
