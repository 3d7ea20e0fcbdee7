package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A file with the body of a request, in which the user changes about ten thousand times per second. h2load sends only
 * one body, but reads it from its file for each request.
 */
final class ChangingBody implements AutoCloseable {
    private static final long BETWEEN_NANOS = 20_000;

    private final Path file;
    private final MappedByteBuffer bytes;
    private final int numberAt;
    private final Thread thread = new Thread(this::run, "changing-body");
    private volatile boolean isClosed;

    private ChangingBody(Path file, MappedByteBuffer bytes, int numberAt) {
        this.file = file;
        this.bytes = bytes;
        this.numberAt = numberAt;
        thread.setDaemon(true);
    }

    static ChangingBody start(Wire wire, Path file) throws BenchFailure {
        try {
            byte[] body = wire.body();
            Files.write(file, body);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, body.length);
                ChangingBody started = new ChangingBody(file, bytes, wire.numberAt());
                started.thread.start();
                return started;
            }
        } catch (IOException e) {
            throw new BenchFailure("the body of the requests could not be written", e);
        }
    }

    Path file() {
        return file;
    }

    private void run() {
        SplittableRandom random = new SplittableRandom(1);
        while (!isClosed) {
            bytes.putLong(numberAt, digits(random.nextInt(Wire.USERS)));
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    /**
     * Returns eight digits as eight bytes, which are written at once, so that a concurrent reader always sees a valid
     * user.
     */
    static long digits(int number) {
        long digits = 0;
        int left = number;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            digits |= (long) ('0' + left % 10) << shift;
            left /= 10;
        }
        return digits;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
