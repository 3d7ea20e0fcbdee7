package dev.penstock.policy.internal.file;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at files every half second, whatever becomes of a look, on a thread of its own that ends with {@link #close}. */
public final class FilePoller implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(FilePoller.class.getName());
    private static final long LOOK_MILLIS = 500;

    private final String name;
    private final Runnable look;
    private final ScheduledExecutorService looking;

    /** @param name what people call what is in the files: {@code policies} */
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
        } catch (Throwable e) { // whatever it is, the next look comes
            LOG.log(Level.ERROR, name + ": looking at the files failed", e);
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
    }
}
