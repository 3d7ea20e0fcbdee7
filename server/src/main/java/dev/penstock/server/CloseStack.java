package dev.penstock.server;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in the opposite order of their opening, each once. Thread-safe. */
final class CloseStack implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CloseStack.class.getName());

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        while (!opened.isEmpty()) {
            AutoCloseable next = opened.pop();
            try {
                next.close();
            } catch (Exception e) { // the rest still has to be closed
                LOG.log(Level.WARNING, "closing " + next.getClass().getSimpleName() + " failed", e);
            }
        }
    }
}
