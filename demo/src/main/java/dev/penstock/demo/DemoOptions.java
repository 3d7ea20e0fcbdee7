package dev.penstock.demo;

import dev.penstock.internal.Expect;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.ServerSettings;
import java.util.List;

/**
 * The options on the command line.
 *
 * @param port the port of the service; 0 for any free port
 * @param adminPort the admin port; 0 for any free port
 * @param redis true to use a store that fails and returns
 * @param minutes the simulated time after which the demo ends; 0 for never
 * @param speed the number of simulated seconds per second
 * @param help true to show only the usage
 */
record DemoOptions(int port, int adminPort, boolean redis, int minutes, int speed, boolean help) {
    static final String USAGE = """
            Usage: penstock demo [OPTIONS]

            Starts the service on this machine with simulated clients and incidents: tenants with plans, a noisy
            neighbor, attacks on a login, exports that wait for slots. Prints the address to open, and reports events as
            they happen.
            Ends with Ctrl-C and leaves no files behind.

            Options:
              --redis           count in its own Redis, which hangs or is killed every 45 seconds and then returns
              --port N          the port of the service; default 8080, 0 for any free port
              --admin-port N    the port of its console; default 8081, 0 for any free port
              --minutes N       end after this number of minutes, 1 to 10080
              --speed N         run incidents and --minutes this many times faster, 1 to 20; request rates stay the same
              --help            show this text

            Exit status: 0 ended on its own, 1 could not start or continue, 2 invalid options, 130 Ctrl-C, 143 SIGTERM.
            """;

    private static final int MOST_MINUTES = 10_080;
    private static final int MOST_SPEED = 20;

    /**
     * Parses the arguments.
     *
     * @throws IllegalArgumentException if they are invalid, with a message of one line
     */
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
        Expect.that(port != adminPort || port == 0, "--admin-port", adminPort, "a port other than --port");
        return new DemoOptions(port, adminPort, redis, minutes, speed, help);
    }

    private static int number(List<String> arguments, int flag, int least, int most) {
        String text = flag + 1 < arguments.size() ? arguments.get(flag + 1) : "no value";
        boolean isNumber = text.matches("[0-9]{1,6}");
        Expect.that(
                isNumber && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most,
                arguments.get(flag),
                text,
                least + " to " + most);
        return Integer.parseInt(text);
    }
}
