package dev.penstock.testkit.server;

import java.util.ArrayList;
import java.util.List;

/** The servers of this JVM that nobody has closed yet; a shutdown hook closes them. Thread-safe. */
final class ServersLeft {
    private static final List<RedisServer> LEFT = new ArrayList<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ServersLeft::closeAll, "penstock-servers-left"));
    }

    private ServersLeft() {}

    static synchronized void add(RedisServer server) {
        LEFT.add(server);
    }

    static synchronized void remove(RedisServer server) {
        LEFT.remove(server);
    }

    private static void closeAll() {
        for (RedisServer server : copy()) {
            server.close();
        }
    }

    private static synchronized List<RedisServer> copy() {
        return List.copyOf(LEFT);
    }
}
