package dev.penstock.server;

import java.nio.file.Path;

/**
 * A service with default settings in a separate process. It prints its two ports, drains and stops on SIGTERM, and
 * stops when its input ends, so that it never outlives the test.
 */
final class SteadyChild {
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);

    private SteadyChild() {}

    /** Serves the policies of the first argument with the Redis of the second. */
    public static void main(String[] args) throws Exception {
        PenstockServer server = PenstockServer.start(ServerSettings.of(Path.of(args[0]))
                .withAt(ANY)
                .withAdmin(new AdminSettings(ANY))
                .withRedis(new RedisUri(args[1])));
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println(server.port() + " " + server.adminPort());
        int unused = System.in.read();
        Runtime.getRuntime().halt(0);
    }
}
