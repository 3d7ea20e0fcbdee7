package dev.penstock.testkit.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Draws ports of the loopback address that nobody listens on right now. They lie below the ports that systems give to
 * outgoing connections, and so do those 10000 above them, which a Redis Cluster uses too: a client that tries to reach a
 * dead server would sooner or later be given that server's port as its own, and reach itself.
 */
final class LoopbackPort {
    private static final int FIRST = 12_000;
    private static final int LAST = 22_000;
    private static final int CLUSTER_BUS_OFFSET = 10_000;
    private static final int DRAWS = 1_000;

    private LoopbackPort() {}

    /** A port that was free a moment ago; whoever binds it must be ready to draw again. */
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

    /** Listens on a port of the loopback address, also on one whose old connections the system still remembers. */
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
