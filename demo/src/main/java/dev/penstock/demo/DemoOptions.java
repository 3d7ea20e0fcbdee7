package dev.penstock.demo;

import dev.penstock.internal.Expect;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.ServerSettings;
import java.util.List;

/**
 * What a user asked for on the command line.
 *
 * @param port of the service; 0 for any that is free
 * @param adminPort in the same way
 * @param redis whether there is a store that dies and returns
 * @param minutes of the world's time, after which it ends by itself; 0: never
 * @param speed how many seconds of the world pass in one
 * @param help whether only the options are to be told
 */
record DemoOptions(int port, int adminPort, boolean redis, int minutes, int speed, boolean help) {
    static final String USAGE = """
            Usage: penstock demo [OPTIONS]

            Starts the service on this machine with a simulated little world around it: tenants with plans, a noisy neighbour,
            attacks on a login, exports that wait for slots. Tells which address to open, and what happens while it happens.
            Ends with Ctrl-C; leaves nothing behind.

            Options:
              --redis           count in a Redis of its own, which hangs or dies every 45 seconds, and returns
              --port N          the port of the service; default 8080, and 0 is any that is free
              --admin-port N    the port of its console; default 8081, in the same way
              --minutes N       end after so many minutes, 1 to 10080
              --speed N         all that happens happens so many times as fast, 1 to 20, --minutes too; callers ask as often
              --help            show this text

            Exit status: 0 it ended by itself, 1 it could not start or go on, 2 the options are wrong, 130 Ctrl-C, 143 SIGTERM.
            """;

    private static final int MOST_MINUTES = 10_080;
    private static final int MOST_SPEED = 20;

    /** @throws IllegalArgumentException where they mean nothing, in one line */
    static DemoOptions parse(List<String> arguments) {
        int port = ServerSettings.DEFAULT_AT.port();
        int adminPort = AdminSettings.DEFAULT.at().port();
        boolean redis = false;
        int minutes = 0;
        int speed = 1;
        boolean help = false;
        for (int i = 0; i < arguments.size(); i++) {
            String flag = arguments.get(i);
            switch (flag) {
                case "--help", "-h" -> help = true;
                case "--redis" -> redis = true;
                case "--port" -> port = number(arguments, i++, 0, ListenAddress.HIGHEST_PORT);
                case "--admin-port" -> adminPort = number(arguments, i++, 0, ListenAddress.HIGHEST_PORT);
                case "--minutes" -> minutes = number(arguments, i++, 1, MOST_MINUTES);
                case "--speed" -> speed = number(arguments, i++, 1, MOST_SPEED);
                default ->
                    throw new IllegalArgumentException(flag + ": no such option (expected: --redis, --port N,"
                            + " --admin-port N, --minutes N, --speed N, --help)");
            }
        }
        Expect.that(port != adminPort || port == 0, "--admin-port", adminPort, "another than --port");
        return new DemoOptions(port, adminPort, redis, minutes, speed, help);
    }

    private static int number(List<String> arguments, int flag, int least, int most) {
        String text = flag + 1 < arguments.size() ? arguments.get(flag + 1) : "nothing follows";
        boolean isNumber = text.matches("[0-9]{1,6}");
        Expect.that(
                isNumber && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most,
                arguments.get(flag),
                text,
                least + " to " + most);
        return Integer.parseInt(text);
    }
}
