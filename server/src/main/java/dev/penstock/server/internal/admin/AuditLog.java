package dev.penstock.server.internal.admin;

import dev.penstock.Clock;
import dev.penstock.observe.LineFile;
import dev.penstock.server.internal.http.DecisionJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The log of changes made through the admin port: a file with one JSON line before each change and one with its result.
 * Each line is on disk before the call returns, so that it outlives the process. Thread-safe; every call may wait for
 * the disk.
 */
public final class AuditLog implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());

    /** The result of a change whose second line was never written, because the process ended before. */
    static final String UNKNOWN = "unknown";

    private static final long LARGEST_FILE = 10L << 20;
    private static final int FILES_KEPT = 100;

    /**
     * The number of full files, beside the current one, that {@link #newest} reads. One file has about ten thousand
     * changes.
     */
    private static final int FILES_READ = 1;

    private final @Nullable LineFile lines;
    private final Clock clock;

    /** @param file the file, or null to write nothing */
    public AuditLog(@Nullable Path file, Clock clock) {
        this.lines = file == null ? null : new LineFile(file, LARGEST_FILE, FILES_KEPT);
        this.clock = clock;
    }

    /** Writes that a change is about to be made. Returns its entry, which has no result yet. */
    AuditEntry begin(String who, String from, String what, DecisionJson.@Nullable Writer about) throws IOException {
        String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        String text = about == null ? null : DecisionJson.bytes(about).toStringUtf8();
        AuditEntry entry = new AuditEntry(id, now(), who, from, what, text, null);
        write(entry);
        return entry;
    }

    /** Writes the result of the change. */
    void end(AuditEntry begun, String result) throws IOException {
        write(new AuditEntry(begun.id(), now(), begun.who(), begun.from(), begun.what(), null, result));
    }

    private String now() {
        return Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS).toString();
    }

    private void write(AuditEntry entry) throws IOException {
        LineFile file = lines;
        if (file == null) {
            return;
        }
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        line.writeBytes(DecisionJson.bytes(entry::write).array());
        line.write('\n');
        synchronized (this) {
            file.appendForced(line.toByteArray());
        }
    }

    /** Returns the last changes with their results, newest first. */
    List<AuditEntry> newest(int most) throws IOException {
        LineFile file = lines;
        if (file == null) {
            return List.of();
        }
        List<String> read;
        synchronized (this) {
            read = LineFile.read(file.path(), FILES_READ);
        }
        Map<String, AuditEntry> changes = new LinkedHashMap<>();
        for (String line : read) {
            AuditEntry entry = AuditEntry.read(line);
            if (entry == null) {
                continue;
            }
            String result = entry.result();
            if (result == null) {
                changes.put(entry.id(), entry.withResult(UNKNOWN));
            } else {
                changes.computeIfPresent(entry.id(), (id, begun) -> begun.withResult(result));
            }
        }
        List<AuditEntry> all = new ArrayList<>(changes.values());
        List<AuditEntry> newest = new ArrayList<>();
        for (int i = all.size() - 1; i >= 0 && newest.size() < most; i--) {
            newest.add(all.get(i));
        }
        return newest;
    }

    boolean isOn() {
        return lines != null;
    }

    @Override
    public synchronized void close() {
        LineFile file = lines;
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the audit log could not be closed", e); // every line is already on disk
            }
        }
    }
}
