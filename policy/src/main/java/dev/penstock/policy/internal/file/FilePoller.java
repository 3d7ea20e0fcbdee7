package dev.penstock.policy.internal.file;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Polls files every half second, on its own thread that ends with {@link #close}. A failed poll does not stop it. */
public final class FilePoller implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FilePoller.class.getName());
    private static final long LOOK_MILLIS = 500;

    private final String name;
    private final Runnable look;
    private final ScheduledExecutorService looking;

    /**
     * Creates a poller.
     *
     * @param name the kind of content in the files, for messages: {@code policies}
     */
    public FilePoller(String name, Runnable look) {
        this.name = name;
        this.look = look;
        this.looking = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "penstock-" + name.replace(' ', '-'));
            thread.setDaemon(true);
            return thread;
        });
    }

    public void start() {
        var unused = looking.scheduleWithFixedDelay(this::lookQuietly, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void lookQuietly() {
        try {
            look.run();
        } catch (Throwable e) { // the next poll comes in any case
            LOG.log(Level.ERROR, name + ": polling the files failed", e);
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
