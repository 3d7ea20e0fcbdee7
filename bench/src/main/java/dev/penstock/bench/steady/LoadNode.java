package dev.penstock.bench.steady;

/**
 * The load generator's view of a service: its port, and whether to send requests there. Thread-safe: the case's thread
 * writes, the event loop reads.
 */
final class LoadNode {
    private volatile int port;
    private volatile boolean isReady;

    LoadNode(int port) {
        this.port = port;
        this.isReady = true;
    }

    int port() {
        return port;
    }

    boolean isReady() {
        return isReady;
    }

    void setReady(boolean ready) {
        isReady = ready;
    }

    /** Sets the port of the service after a restart. */
    void moveTo(int newPort) {
        port = newPort;
    }
}
