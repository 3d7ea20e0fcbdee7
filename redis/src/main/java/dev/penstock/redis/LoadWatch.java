package dev.penstock.redis;

import dev.penstock.spi.Scheduler;
import dev.penstock.spi.StoreLoad;
import dev.penstock.spi.TripListener;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Asks every primary for its memory and processor time every ten seconds, reports both, and warns when memory runs low.
 * No decision waits for this. Thread-safe.
 */
final class LoadWatch {
    private static final System.Logger LOG = System.getLogger(LoadWatch.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final int HIGH_PERCENT = 80;

    /**
     * The usage below which the warning may be repeated, so that usage around the threshold does not warn again and
     * again.
     */
    private static final int RELIEVED_PERCENT = 75;

    private static final int MOST_SERVERS = 1_000;
    private static final long MEGABYTE = 1 << 20;

    /** The last warning about a server. */
    private enum Warned {
        NOTHING,
        NO_MAXIMUM,
        HIGH
    }

    private final Supplier<CompletionStage<Map<String, ServerInfo>>> servers;
    private final TripListener listener;
    private final Scheduler scheduler;
    private final Map<String, Warned> warned = new HashMap<>();
    private volatile boolean isStopped;

    /**
     * @param servers asks the primaries and returns their reports by address; primaries that do not answer are left out
     *     or unknown
     */
    LoadWatch(Supplier<CompletionStage<Map<String, ServerInfo>>> servers, TripListener listener, Scheduler scheduler) {
        this.servers = servers;
        this.listener = listener;
        this.scheduler = scheduler;
    }

    static LoadWatch started(Supplier<CompletionStage<Map<String, ServerInfo>>> servers, TripListener listener) {
        LoadWatch watch = new LoadWatch(servers, listener, Scheduler.system());
        watch.start();
        return watch;
    }

    /** Checks the load now, and then at regular intervals. */
    void start() {
        if (isStopped) {
            return;
        }
        scheduler.after(EVERY, this::start);
        CompletionStage<Void> unused = servers.get().thenAccept(this::take);
    }

    void stop() {
        isStopped = true;
    }

    private synchronized void take(Map<String, ServerInfo> reports) {
        if (warned.size() > MOST_SERVERS) {
            warned.clear();
        }
        reports.forEach((where, info) -> {
            StoreLoad load = info.load();
            if (load != null && !isStopped) {
                listener.onLoad(where, load);
                warn(where, load);
            }
        });
    }

    private void warn(String where, StoreLoad load) {
        Warned before = warned.getOrDefault(where, Warned.NOTHING);
        if (load.usedPercent() >= HIGH_PERCENT) {
            warned.put(where, Warned.HIGH);
            if (before != Warned.HIGH) {
                LOG.log(Level.WARNING, highMemory(where, load));
            }
        } else if (before == Warned.HIGH && load.usedPercent() >= RELIEVED_PERCENT) {
            return;
        } else if (load.bound() == StoreLoad.Bound.MACHINE) {
            warned.put(where, Warned.NO_MAXIMUM);
            if (before == Warned.NOTHING) {
                LOG.log(
                        Level.WARNING,
                        "redis at " + where + ": maxmemory is not set, so Redis may use all memory of its machine"
                                + " (expected: a maxmemory that the machine can spare)");
            }
        } else {
            warned.put(where, Warned.NOTHING);
        }
    }

    private static String highMemory(String where, StoreLoad load) {
        return String.format(
                Locale.ROOT,
                "redis at %s: %d of %d MB are in use (%d %% of %s); a full Redis refuses charges",
                where,
                load.usedMemoryBytes() / MEGABYTE,
                load.maxMemoryBytes() / MEGABYTE,
                load.usedPercent(),
                load.bound() == StoreLoad.Bound.SETTING ? "maxmemory" : "the memory of its machine");
    }
}
