package dev.penstock.testkit.server;

/** A server in a separate process, which ends at the latest with the JVM. */
interface LocalServer extends AutoCloseable {
    @Override
    void close();
}
