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
 * A file to which lines are appended, with rotation by size: a full file is kept as {@code NAME.1}, earlier ones as
 * {@code NAME.2} and so on, up to a maximum number.
 *
 * <p>A written line survives if the process is killed right afterward. A line that was cut off, by a kill or a full
 * disk, is isolated on its own line, so that all others stay readable. If the file is moved or deleted, a new one is
 * created. Other threads and processes may append to the same file; every line stays whole. An instance is not
 * thread-safe.
 */
public final class LineFile implements AutoCloseable {
    private static final byte END = '\n';

    /** Guards rotation within this process, because file locks work only between processes. */
    private static final Object TURNING = new Object();

    /** The key of a file that did not exist. */
    private static final Object NONE = new Object();

    private final Path path;
    private final long mostBytes;
    private final int kept;
    private @Nullable Opened opened;

    /**
     * An open file.
     *
     * @param key identifies the file that was found under the name
     */
    private record Opened(FileChannel out, FileChannel in, Object key) {
        boolean is(@Nullable Object other) {
            return out.isOpen() && in.isOpen() && key.equals(other);
        }

        boolean hasRoom(long bytes, long mostBytes) throws IOException {
            long size = out.size();
            return size == 0 || size + bytes <= mostBytes;
        }

        /** Returns true if the last line is incomplete. */
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
     * Creates a file that is opened when the first line is appended.
     *
     * @param mostBytes the maximum size of a file
     * @param kept the number of full files to keep
     */
    public LineFile(Path path, long mostBytes, int kept) {
        this.path = Expect.present(path, "path");
        this.mostBytes = Expect.positive(mostBytes, "mostBytes");
        this.kept = (int) Expect.between(kept, 0, 1_000, "kept");
    }

    /** Returns the path of the current file. */
    public Path path() {
        return path;
    }

    /** Appends lines, each with its line end. */
    public void append(byte[] lines) throws IOException {
        add(lines);
    }

    /** Appends a line and waits until it is on disk. */
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

    /** Returns the file that currently has the name. */
    private Opened inPlace() throws IOException {
        Object key = key();
        Opened file = opened;
        while (file == null || !file.is(key)) {
            close();
            file = open(key);
            opened = file;
            key = key(); // a different one, if the file was replaced just now
        }
        return file;
    }

    private @Nullable Object key() throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? path : key; // file systems without file keys show only that a file exists
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Opens the file. Returns null if another writer moved it away meanwhile.
     *
     * @param key the key of the file that is expected to exist; null for none
     */
    private @Nullable Opened open(@Nullable Object key) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            return new Opened(out, FileChannel.open(path, StandardOpenOption.READ), key == null ? NONE : key);
        } catch (NoSuchFileException e) {
            out.close();
            return null;
        } catch (IOException e) {
            out.close();
            throw e;
        }
    }

    /** Rotates the full file, unless another thread or process already has. */
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

    /** Returns all whole lines that are kept, oldest first; empty if there is no file. */
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

    /** Adds the whole lines. A character that was cut off becomes a replacement character. */
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
