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
 * What a command runs in.
 *
 * @param out for answers
 * @param err for everything else
 * @param environment the variables that are set
 * @param examples policies to serve where none are given
 */
record Surroundings(Output out, Output err, Map<String, String> environment, Clock clock, List<Path> examples) {
    /** Which of {@code out} and {@code err} are terminals, by the launcher, since Java cannot tell them apart. */
    private static final String TERMINALS = "penstock.terminals";

    /** A file of policies, by the launcher, since a jar has none beside it. */
    private static final String EXAMPLES = "penstock.examples";

    /** This process. It writes UTF-8 whatever the machine is set to: so are the files that it reads. */
    static Surroundings ofProcess() {
        String examples = System.getProperty(EXAMPLES);
        return new Surroundings(
                new Output(writer(FileDescriptor.out), isColoured("out")),
                new Output(writer(FileDescriptor.err), isColoured("err")),
                System.getenv(),
                Clock.system(),
                examples == null ? List.of() : List.of(Path.of(examples)));
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8),
                /* autoFlush= */ true);
    }

    private static boolean isColoured(String place) {
        String terminals = System.getProperty(TERMINALS);
        if (terminals == null) {
            return Ansi.AUTO.enabled();
        }
        String noColour = System.getenv("NO_COLOR");
        return (noColour == null || noColour.isEmpty())
                && Arrays.asList(terminals.split(",")).contains(place);
    }
}
