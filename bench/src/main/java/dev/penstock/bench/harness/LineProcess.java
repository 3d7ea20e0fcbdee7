package dev.penstock.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A main class of ours in another JVM that says a line at its start, and one for each that it is sent. Not thread-safe. */
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

    /** Starts it, and waits for its first line; what it complains of is added to the log. */
    public static LineProcess start(Class<?> main, List<String> jvmArguments, List<String> arguments, Path log)
            throws BenchFailure {
        return new LineProcess(JavaProcess.start(main, jvmArguments, arguments, log));
    }

    /** What it said at its start. */
    public String first() {
        return first;
    }

    /** Its next line, for which it is sent an empty one. */
    public String ask() throws BenchFailure {
        orders.println();
        return line();
    }

    private String line() throws BenchFailure {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new BenchFailure("a service ended (see bench/target/bench.log)");
            }
            return line;
        } catch (IOException e) {
            throw new BenchFailure("a service could not be asked", e);
        }
    }

    /** Tells it that there are no more lines, and waits for its end. */
    @Override
    public void close() {
        orders.close();
        process.onExit().join();
    }
}
