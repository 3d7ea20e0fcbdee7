package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A command that ran in this process: its exit status and output. */
record Run(int status, String out, String err) {
    static final String FILES = "src/test/resources/";

    private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

    /** The kind of output of a command. */
    enum Eye {
        TERMINAL,
        PIPE
    }

    /**
     * Runs a command with a pipe for output and no environment variables. {@code FILES} in arguments stands for the
     * directory of test files.
     */
    static Run of(String... arguments) {
        return of(Eye.PIPE, Map.of(), arguments);
    }

    static Run of(Eye eye, Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        boolean colored = eye == Eye.TERMINAL;
        Surroundings surroundings = new Surroundings(
                new Output(new PrintWriter(out), colored),
                new Output(new PrintWriter(err), colored),
                environment,
                () -> NOW.toEpochMilli() * 1_000,
                List.of());
        String[] placed = arguments.clone();
        for (int i = 0; i < placed.length; i++) {
            placed[i] = placed[i].replace("FILES/", FILES);
        }
        int status = PenstockMain.commandLine(surroundings).execute(placed);
        return new Run(status, out.toString(), err.toString().replace(FILES, "FILES/"));
    }

    JsonNode json() {
        try {
            return new ObjectMapper().readTree(out.replace(FILES, "FILES/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
