package dev.penstock.cli;

import dev.penstock.Clock;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/**
 * The environment of a command.
 *
 * @param out for answers
 * @param err for everything else
 * @param environment the environment variables
 * @param examples the policies to serve if none are given
 */
record Surroundings(Output out, Output err, Map<String, String> environment, Clock clock, List<Path> examples) {
    /**
     * Lists which of {@code out} and {@code err} are terminals. The launcher sets it, because Java cannot distinguish
     * them.
     */
    private static final String TERMINALS = "penstock.terminals";

    /** The path of the example policies. The launcher sets it, because a jar has no files next to it. */
    private static final String EXAMPLES = "penstock.examples";

    /**
     * Returns the environment of this process. It writes UTF-8 regardless of the locale, as in the files that it reads.
     */
    static Surroundings ofProcess() {
        String examples = System.getProperty(EXAMPLES);
        return new Surroundings(
                new Output(writer(FileDescriptor.out), isColored("out")),
                new Output(writer(FileDescriptor.err), isColored("err")),
                System.getenv(),
                Clock.system(),
                examples == null ? List.of() : List.of(Path.of(examples)));
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8),
                /* autoFlush= */ true);
    }

    private static boolean isColored(String place) {
        String terminals = System.getProperty(TERMINALS);
        if (terminals == null) {
            return Ansi.AUTO.enabled();
        }
        String noColor = System.getenv("NO_COLOR");
        return (noColor == null || noColor.isEmpty())
                && Arrays.asList(terminals.split(",")).contains(place);
    }
}
