package dev.penstock.testkit.server;

/** A server in a process of its own, which ends with the JVM at the latest. */
interface LocalServer extends AutoCloseable {
    @Override
    void close();
}
