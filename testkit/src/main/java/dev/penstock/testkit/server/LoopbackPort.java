package dev.penstock.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Draws unused ports of the loopback address. They, and the ports 10000 above them that a Redis Cluster also uses, are
 * below the range that systems use for outgoing connections. Otherwise a client that tries to reach a dead server would
 * sooner or later get that server's port as its own and connect to itself.
 */
final class LoopbackPort {
    private static final int FIRST = 12_000;
    private static final int LAST = 22_000;
    private static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int DRAWS = 1_000;

    private LoopbackPort() {}

    /** Returns a port that was free a moment ago. If binding it fails, draw again. */
    static int draw() {
        for (int i = 0; i < DRAWS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && isFree(port + CLUSTER_BUS_OFFSET)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "no free port in " + DRAWS + " draws (expected: one from " + FIRST + " to " + LAST + ")");
    }

    /** Listens on a port of the loopback address, even if the system still remembers old connections of it. */
    static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address(port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    static InetSocketAddress address(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = listen(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
