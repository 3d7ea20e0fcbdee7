package dev.penstock.bench.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A Lettuce client with one connection, with the default flushing or with several commands per write. Thread-safe. */
final class Lettuce implements AutoCloseable {
    private static final int TOGETHER = 64;

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final boolean flushesTogether;
    private final AtomicInteger unsent = new AtomicInteger();

    private Lettuce(String uri, boolean flushesTogether) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(StringCodec.UTF8);
        this.flushesTogether = flushesTogether;
    }

    /** Sends each command at once, which is Lettuce's default. */
    static Lettuce flushingEach(String uri) {
        return new Lettuce(uri, false);
    }

    /** Sends {@value #TOGETHER} commands per write after {@link #startHoldingBack} is called. */
    static Lettuce flushingTogether(String uri) {
        return new Lettuce(uri, true);
    }

    RedisAsyncCommands<String, String> commands() {
        return connection.async();
    }

    /** Loads a script from the class path into Redis and returns its digest. */
    String load(String resource) {
        try (InputStream in = Lettuce.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + ": not on the class path");
            }
            return connection.sync().scriptLoad(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void startHoldingBack() {
        connection.setAutoFlushCommands(!flushesTogether);
    }

    /** Must be called after each command. */
    void sent() {
        if (flushesTogether && unsent.incrementAndGet() % TOGETHER == 0) {
            connection.flushCommands();
        }
    }

    void flush() {
        connection.flushCommands();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
