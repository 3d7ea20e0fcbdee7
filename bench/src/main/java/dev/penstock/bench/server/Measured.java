package dev.penstock.bench.server;

/** A service whose counts can be read. */
interface Measured extends AutoCloseable {
    int port();

    Counts counts();

    @Override
    void close();
}
