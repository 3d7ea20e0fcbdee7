package dev.penstock.demo;

import dev.penstock.policy.PolicyErrors;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.logging.LogManager;

/** The entry point of {@code penstock demo}. */
public final class DemoMain {
    private DemoMain() {}

    public static void main(String[] args) {
        LogManager.getLogManager().reset(); // the demo itself reports what happens to the store and the policies
        System.exit(run(Arrays.asList(args), System.out, System.err));
    }

    /** Returns the exit status. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        DemoOptions options;
        try {
            options = DemoOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            err.println("penstock demo: " + e.getMessage());
            return 2;
        }
        if (options.help()) {
            out.print(DemoOptions.USAGE);
            return 0;
        }
        try (Demo demo = new Demo(options, out::println)) {
            Runtime.getRuntime().addShutdownHook(new Thread(demo::close, "demo-ending"));
            demo.open();
            demo.await();
            return 0;
        } catch (IOException | PolicyErrors | RuntimeException e) {
            err.println("penstock demo: " + e.getMessage());
            return 1;
        }
    }
}
