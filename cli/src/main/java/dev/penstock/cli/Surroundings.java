package dev.penstock.cli;

import dev.penstock.Clock;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * What a command runs in.
 *
 * @param out for answers
 * @param err for everything else
 * @param environment the value of a variable; null where it is not set
 */
record Surroundings(Output out, Output err, UnaryOperator<@Nullable String> environment, Clock clock) {
    /** Which of {@code out} and {@code err} are terminals, by the launcher, since Java cannot tell them apart. */
    private static final String TERMINALS = "penstock.terminals";

    /** This process. It writes UTF-8 whatever the machine is set to: so are the files that it reads. */
    static Surroundings ofProcess() {
        return new Surroundings(
                new Output(writer(FileDescriptor.out), isColoured("out")),
                new Output(writer(FileDescriptor.err), isColoured("err")),
                System::getenv,
                Clock.system());
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
