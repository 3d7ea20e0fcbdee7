package dev.penstock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy on the loopback address that fails on demand. There is one fault at a time: each replaces the previous
 * one, and {@link #heal()} ends it. If a fault has dropped bytes of a connection, the connection is closed when bytes
 * would flow again, because no network delivers a stream with a gap. Other connections continue. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int PORTS_TRIED = 10;

    private final int port;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<ProxiedConnection> connections = new HashSet<>();
    private int target;
    private Fault fault = Fault.NONE;
    private long delayNanos;
    private long changes;
    private boolean closed;

    private ServerSocket listener;
    private CompletableFuture<Void> accepting;

    private FaultProxy(int target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
        port = listener.getLocalPort();
        accepting = accept(listener);
    }

    /** Starts a proxy without faults to a port of the loopback address. The server may start later. */
    public static FaultProxy to(int target) {
        IOException taken = new IOException("none of " + PORTS_TRIED + " ports (expected: a free one)");
        for (int i = 0; i < PORTS_TRIED; i++) {
            try {
                return new FaultProxy(target, LoopbackPort.listen(LoopbackPort.draw()));
            } catch (IOException e) {
                taken.addSuppressed(e);
            }
        }
        throw new UncheckedIOException(taken);
    }

    /** Returns the port on which the proxy accepts connections. */
    public int port() {
        return port;
    }

    /** Closes all connections and refuses new ones. */
    public void cut() {
        become(Fault.CUT, 0);
    }

    /** Ends the fault. Bytes held back by a delay flow at once. */
    public void heal() {
        become(Fault.NONE, 0);
    }

    /** Delays every chunk of bytes, both requests and replies. */
    public void delay(Duration perChunk) {
        if (perChunk.isNegative()) {
            throw new IllegalArgumentException("delay: " + perChunk + " (expected: >= 0)");
        }
        become(Fault.NONE, perChunk.toNanos());
    }

    /** Accepts connections and reads what they send, but forwards nothing and closes nothing. */
    public void halfOpen() {
        become(Fault.HALF_OPEN, 0);
    }

    /** Lets requests through, but not the replies to them. */
    public void dropReplies() {
        become(Fault.DROP_REPLIES, 0);
    }

    /**
     * Lets nothing through on the existing connections, in either direction, without closing them. New connections
     * work. This lasts until {@link #heal()} or the next fault closes those connections.
     */
    public void silence() {
        lock.lock();
        try {
            connections.forEach(ProxiedConnection::silence);
        } finally {
            lock.unlock();
        }
    }

    /** Sends new connections to another port. Existing connections stay. */
    public void leadTo(int other) {
        lock.lock();
        try {
            target = other;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of connections, including silent ones. */
    public int connections() {
        lock.lock();
        try {
            return connections.size();
        } finally {
            lock.unlock();
        }
    }

    /** Closes all connections and stops listening permanently. Further calls have no effect. */
    @Override
    public synchronized void close() {
        lock.lock();
        try {
            closed = true;
            fault = Fault.CUT;
            changes++;
            changed.signalAll();
            closeGaps();
        } finally {
            lock.unlock();
        }
        stopListening();
    }

    /**
     * Switches the fault, one switch at a time. Connections need only the lock, so that they continue while a switch
     * waits for them.
     */
    private synchronized void become(Fault next, long nextDelayNanos) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("proxy on port " + port + ": closed (expected: open)");
            }
            fault = next;
            delayNanos = nextDelayNanos;
            changes++;
            changed.signalAll();
            closeGaps();
        } finally {
            lock.unlock();
        }
        if (next == Fault.CUT) {
            stopListening();
        } else if (listener.isClosed()) {
            listenAgain();
        }
    }

    private void stopListening() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // The system still accepts connections until the last accept() returns.
        accepting.join();
    }

    private void listenAgain() {
        try {
            listener = LoopbackPort.listen(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = accept(listener);
    }

    private CompletableFuture<Void> accept(ServerSocket from) {
        return CompletableFuture.runAsync(
                () -> {
                    while (!from.isClosed()) {
                        try {
                            accepted(from.accept());
                        } catch (IOException e) {
                            // The proxy was closed, or a client gave up before it was accepted.
                        }
                    }
                },
                loop -> thread("accept", loop));
    }

    private void accepted(Socket client) throws IOException {
        lock.lock();
        try {
            if (fault == Fault.CUT) {
                client.close();
                return;
            }
            ProxiedConnection connection = new ProxiedConnection(this, client, target);
            connections.add(connection);
            if (fault == Fault.HALF_OPEN) {
                // The server does not learn of this connection.
                connection.lose(Fault.Direction.REQUESTS);
                connection.lose(Fault.Direction.REPLIES);
                thread("swallow", connection::swallow);
            } else {
                thread("requests", connection::connect);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits as long as the fault delays a chunk, or until the fault changes. Returns true if the chunk gets through.
     */
    boolean admit(ProxiedConnection connection, Fault.Direction direction) {
        lock.lock();
        try {
            long seen = changes;
            long leftNanos = delayNanos;
            while (leftNanos > 0 && seen == changes) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            boolean through = fault.lets(direction) && !connection.isSilent();
            if (!through) {
                connection.lose(direction);
            }
            return through;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            connection.lose(direction);
            return false;
        } finally {
            lock.unlock();
        }
    }

    void forget(ProxiedConnection connection) {
        lock.lock();
        try {
            connections.remove(connection);
        } finally {
            lock.unlock();
        }
    }

    /** Starts a thread that does not keep the JVM alive. */
    void thread(String purpose, Runnable work) {
        Thread thread = new Thread(work, "penstock-proxy-" + port + "-" + purpose);
        thread.setDaemon(true);
        thread.start();
    }

    private void closeGaps() {
        for (ProxiedConnection connection : List.copyOf(connections)) {
            if (fault == Fault.CUT || connection.isSilent() || connection.hasGapUnder(fault)) {
                connection.close();
            }
        }
    }
}
