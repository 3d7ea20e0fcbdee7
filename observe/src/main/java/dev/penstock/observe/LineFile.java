package dev.penstock.observe;

import dev.penstock.internal.Expect;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are added, and which makes room by itself: one that has become too large is kept as {@code NAME.1}, and
 * those before it as {@code NAME.2} and so on, up to a number.
 *
 * <p>Whatever was written stands, should the process be killed the next moment. A line that was cut off, by that or by a disk
 * that was full, stays a line by itself, so that all others can be read. A file that was moved or deleted meanwhile is begun
 * anew. Others may add to the same file, also from other processes: each line stays whole. Not thread-safe.
 */
public final class LineFile implements AutoCloseable {
    private static final byte END = '\n';

    /** Held by whoever puts a file aside: locks of files are between processes only. */
    private static final Object TURNING = new Object();

    /** The key of a file that was not there. */
    private static final Object NONE = new Object();

    private final Path path;
    private final long mostBytes;
    private final int kept;
    private @Nullable Opened opened;

    /**
     * A file as it was found in its place.
     *
     * @param key what tells it from another one
     */
    private record Opened(FileChannel out, FileChannel in, Object key) {
        boolean is(@Nullable Object other) {
            return out.isOpen() && in.isOpen() && key.equals(other);
        }

        boolean hasRoom(long bytes, long mostBytes) throws IOException {
            long size = out.size();
            return size == 0 || size + bytes <= mostBytes;
        }

        /** Whether the last line has no end. */
        boolean isTorn() throws IOException {
            long size = in.size();
            ByteBuffer last = ByteBuffer.allocate(1);
            return size > 0 && in.read(last, size - 1) == 1 && last.get(0) != END;
        }

        void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }

        void close() throws IOException {
            try (in) {
                out.close();
            }
        }
    }

    /**
     * A file that is opened when the first line is added.
     *
     * @param mostBytes how large it may become
     * @param kept how many of those that were full are kept
     */
    public LineFile(Path path, long mostBytes, int kept) {
        this.path = Expect.present(path, "path");
        this.mostBytes = Expect.positive(mostBytes, "mostBytes");
        this.kept = (int) Expect.between(kept, 0, 1_000, "kept");
    }

    public Path path() {
        return path;
    }

    /** Adds lines, each with its end. */
    public void append(byte[] lines) throws IOException {
        add(lines);
    }

    /** Adds a line, and waits until it is on the disk. */
    public void appendForced(byte[] line) throws IOException {
        add(line).out.force(false);
    }

    private Opened add(byte[] lines) throws IOException {
        Opened file = inPlace();
        while (!file.hasRoom(lines.length, mostBytes)) {
            turn(file);
            file = inPlace();
        }
        ByteBuffer bytes = ByteBuffer.allocate(1 + lines.length);
        if (file.isTorn()) {
            bytes.put(END);
        }
        file.write(bytes.put(lines).flip());
        return file;
    }

    /** The file that has the name now. */
    private Opened inPlace() throws IOException {
        Object key = key();
        Opened file = opened;
        while (file == null || !file.is(key)) {
            close();
            file = open(key);
            opened = file;
            key = key(); // another one, where it came into its place just now
        }
        return file;
    }

    private @Nullable Object key() throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? path : key; // where files have none, it is known only whether there is one
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** @param key of the file that is thought to be there; null for none */
    private Opened open(@Nullable Object key) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            return new Opened(out, FileChannel.open(path, StandardOpenOption.READ), key == null ? NONE : key);
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    /** Puts the full one aside, unless another has done so. */
    private void turn(Opened full) throws IOException {
        synchronized (TURNING) {
            FileLock lock = full.out.lock();
            try {
                if (full.is(key())) {
                    shift();
                }
            } finally {
                lock.release();
            }
        }
    }

    private void shift() throws IOException {
        for (int i = kept; i > 0; i--) {
            Path newer = i == 1 ? path : numbered(path, i - 1);
            if (Files.exists(newer)) {
                Files.move(newer, numbered(path, i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        if (kept == 0) {
            Files.delete(path);
        }
    }

    private static Path numbered(Path path, int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    /** All whole lines that are kept, the oldest first; none where there is no such file. */
    public static List<String> read(Path path, int kept) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = kept; i >= 0; i--) {
            Path file = i == 0 ? path : numbered(path, i);
            if (Files.exists(file)) {
                addWhole(Files.readAllBytes(file), lines);
            }
        }
        return lines;
    }

    /** What was cut off in the middle of a character has a mark there. */
    private static void addWhole(byte[] bytes, List<String> lines) {
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == END) {
                if (i > start) {
                    lines.add(new String(bytes, start, i - start, StandardCharsets.UTF_8));
                }
                start = i + 1;
            }
        }
    }

    @Override
    public void close() throws IOException {
        Opened file = opened;
        opened = null;
        if (file != null) {
            file.close();
        }
    }
}
