package dev.penstock.observe;

import dev.penstock.internal.Expect;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file to which lines are added, and which makes room by itself: one that has become too large is kept as {@code NAME.1}, and
 * those before it as {@code NAME.2} and so on, up to a number.
 *
 * <p>Whatever was written stands, should the process be killed the next moment. A line that was cut off, by that or by a disk
 * that was full, stays a line by itself, so that all others can be read. Not thread-safe.
 */
public final class LineFile implements AutoCloseable {
    private static final byte END = '\n';

    private final Path path;
    private final long mostBytes;
    private final int kept;
    private @Nullable FileChannel channel;
    private long size;

    /** Whether the last line has no end. */
    private boolean isTorn;

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
        if (size > 0 && size + lines.length > mostBytes) {
            turn();
        }
        FileChannel out = opened();
        if (isTorn) {
            write(out, new byte[] {END});
            isTorn = false;
        }
        write(out, lines);
    }

    /** Adds a line, and waits until it is on the disk. */
    public void appendForced(byte[] line) throws IOException {
        append(line);
        opened().force(false);
    }

    private void write(FileChannel out, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            while (buffer.hasRemaining()) {
                size += out.write(buffer);
            }
        } finally {
            isTorn = buffer.position() > 0 && bytes[buffer.position() - 1] != END;
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel out = channel;
        if (out == null) {
            Path directory = path.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            size = out.size();
            isTorn = size > 0 && last(out) != END;
            out.position(size);
            channel = out;
        }
        return out;
    }

    private static byte last(FileChannel in) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        in.read(one, in.size() - 1);
        return one.get(0);
    }

    /** Puts the full one aside. */
    private void turn() throws IOException {
        close();
        for (int i = kept; i > 0; i--) {
            Path newer = i == 1 ? path : numbered(path, i - 1);
            if (Files.exists(newer)) {
                Files.move(newer, numbered(path, i), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.deleteIfExists(path);
        size = 0;
        isTorn = false;
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
                String text = Files.readString(file, StandardCharsets.UTF_8);
                int end = text.lastIndexOf(END);
                text.substring(0, end + 1)
                        .lines()
                        .filter(line -> !line.isEmpty())
                        .forEach(lines::add);
            }
        }
        return lines;
    }

    @Override
    public void close() throws IOException {
        FileChannel out = channel;
        channel = null;
        if (out != null) {
            out.close();
        }
    }
}
