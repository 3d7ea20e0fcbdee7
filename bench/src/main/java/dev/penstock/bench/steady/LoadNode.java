package dev.penstock.bench.steady;

/**
 * A service as the load generator sees it: where it listens, and whether requests go there. Thread-safe: the thread of
 * the case writes, the event loop reads.
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

    /** The service was started again, on another port. */
    void moveTo(int newPort) {
        port = newPort;
    }
}
