package dev.penstock.testkit.server;

import dev.penstock.testkit.server.Fault.Direction;
import java.io.IOException;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Set;

/**
 * One client's connection through a {@link FaultProxy}, with a thread per direction. The proxy decides about every
 * chunk and every end of a stream. If an end does not get through, the other side keeps waiting. The proxy's lock
 * guards the record of lost bytes and whether the connection is silent.
 */
final class ProxiedConnection {
    private static final int CHUNK_BYTES = 16_384;
    private static final int END = -1;

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server = new Socket();
    private final int target;
    private final Set<Direction> lost = EnumSet.noneOf(Direction.class);
    private final Set<Direction> ended = EnumSet.noneOf(Direction.class);
    private boolean silent;

    ProxiedConnection(FaultProxy proxy, Socket client, int target) {
        this.proxy = proxy;
        this.client = client;
        this.target = target;
    }

    void silence() {
        silent = true;
    }

    boolean isSilent() {
        return silent;
    }

    void lose(Direction direction) {
        lost.add(direction);
    }

    /** Returns true if bytes would flow again in a direction in which some were lost. */
    boolean hasGapUnder(Fault fault) {
        return lost.stream().anyMatch(fault::lets);
    }

    /** Connects to the server and forwards bytes both ways, requests on this thread. */
    void connect() {
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(LoopbackPort.address(target));
        } catch (IOException e) {
            abort(Direction.REPLIES);
            return;
        }
        proxy.thread("replies", () -> carry(server, client, Direction.REPLIES));
        carry(client, server, Direction.REQUESTS);
    }

    /** Reads and discards what the client sends. */
    void swallow() {
        byte[] chunk = new byte[CHUNK_BYTES];
        int length = 0;
        while (length != END) {
            try {
                length = client.getInputStream().read(chunk);
            } catch (IOException e) {
                return;
            }
        }
    }

    void close() {
        proxy.forget(this);
        for (Socket socket : new Socket[] {client, server}) {
            try {
                socket.close();
            } catch (IOException e) {
                // The connection is then as good as closed.
            }
        }
    }

    private void carry(Socket from, Socket to, Direction direction) {
        byte[] chunk = new byte[CHUNK_BYTES];
        int length = 0;
        while (length != END) {
            try {
                length = from.getInputStream().read(chunk);
            } catch (IOException e) {
                abort(direction);
                return;
            }
            if (!proxy.admit(this, direction)) {
                continue;
            }
            try {
                if (length == END) {
                    to.shutdownOutput();
                } else {
                    to.getOutputStream().write(chunk, 0, length);
                }
            } catch (IOException e) {
                // The receiver is gone, so the sender must be disconnected.
                abort(direction.reverse());
                return;
            }
            if (length == END) {
                end(direction);
            }
        }
    }

    /** Closes both sides, if the disconnection gets through. */
    private void abort(Direction direction) {
        if (proxy.admit(this, direction)) {
            close();
        }
    }

    private synchronized void end(Direction direction) {
        ended.add(direction);
        if (ended.size() == Direction.values().length) {
            close();
        }
    }
}
