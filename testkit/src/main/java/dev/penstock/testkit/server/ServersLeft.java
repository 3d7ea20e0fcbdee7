package dev.penstock.testkit.server;

import java.util.ArrayList;
import java.util.List;

/** The servers of this JVM that are not closed yet. A shutdown hook closes them. Thread-safe. */
final class ServersLeft {
    private static final List<LocalServer> LEFT = new ArrayList<>();

    private static boolean over;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ServersLeft::closeAll, "penstock-servers-left"));
    }

    private ServersLeft() {}

    /** Registers a server, or closes it at once if the JVM is about to end. */
    static void add(LocalServer server) {
        synchronized (ServersLeft.class) {
            if (!over) {
                LEFT.add(server);
                return;
            }
        }
        server.close();
    }

    static synchronized void remove(LocalServer server) {
        LEFT.remove(server);
    }

    private static void closeAll() {
        for (LocalServer server : last()) {
            server.close();
        }
    }

    private static synchronized List<LocalServer> last() {
        over = true;
        return List.copyOf(LEFT);
    }
}
