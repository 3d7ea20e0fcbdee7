package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Bounds on the resources that clients may use.
 *
 * @param connections the maximum number of open connections on the main port; further ones are closed at once
 * @param streams the maximum number of concurrent requests on one HTTP/2 connection; further streams are refused
 * @param waiting the maximum number of decisions that wait for the store at a time; further requests are answered as
 *     overloaded
 * @param bodyBytes the maximum size of a request body
 * @param headerBytes the maximum size of a request's header
 * @param bufferBytes the maximum total size of unread answers and unfinished requests; 0 means an eighth of the heap
 * @param slowest the maximum time for a request's header to arrive, for its body to arrive, and for a TLS handshake,
 *     each
 * @param idle the maximum time that a connection may be silent
 */
public record ClientSettings(
        int connections,
        int streams,
        int waiting,
        int bodyBytes,
        int headerBytes,
        int bufferBytes,
        Duration slowest,
        Duration idle) {
    public static final int MOST_CONNECTIONS = 1_000_000;
    public static final int MOST_STREAMS = 100_000;
    public static final int MOST_WAITING = 1_000_000;
    public static final int LARGEST_BODY = 64 << 20;
    public static final int SMALLEST_HEADER = 1 << 10;
    public static final int LARGEST_HEADER = 1 << 20;
    public static final int MOST_BUFFERS = 1 << 30;
    public static final Duration LONGEST = Duration.ofHours(1);

    public static final ClientSettings DEFAULT = new ClientSettings(
            20_000, 1_000, 4_096, 1 << 20, 16 << 10, 0, Duration.ofSeconds(10), Duration.ofSeconds(60));

    public ClientSettings {
        Expect.between(connections, 1, MOST_CONNECTIONS, "clients.connections");
        Expect.between(streams, 1, MOST_STREAMS, "clients.streams");
        Expect.between(waiting, 1, MOST_WAITING, "clients.waiting");
        Expect.between(bodyBytes, 1, LARGEST_BODY, "clients.body_bytes");
        Expect.between(headerBytes, SMALLEST_HEADER, LARGEST_HEADER, "clients.header_bytes");
        Expect.between(bufferBytes, 0, MOST_BUFFERS, "clients.buffer_bytes");
        Expect.millis(slowest, LONGEST, "clients.slowest");
        Expect.millis(idle, LONGEST, "clients.idle");
    }

    public ClientSettings withConnections(int other) {
        return new ClientSettings(other, streams, waiting, bodyBytes, headerBytes, bufferBytes, slowest, idle);
    }

    public ClientSettings withSlowest(Duration other) {
        return new ClientSettings(connections, streams, waiting, bodyBytes, headerBytes, bufferBytes, other, idle);
    }

    public ClientSettings withIdle(Duration other) {
        return new ClientSettings(connections, streams, waiting, bodyBytes, headerBytes, bufferBytes, slowest, other);
    }

    public ClientSettings withWaiting(int other) {
        return new ClientSettings(connections, streams, other, bodyBytes, headerBytes, bufferBytes, slowest, idle);
    }

    public ClientSettings withStreams(int other) {
        return new ClientSettings(connections, other, waiting, bodyBytes, headerBytes, bufferBytes, slowest, idle);
    }

    public ClientSettings withBufferBytes(int other) {
        return new ClientSettings(connections, streams, waiting, bodyBytes, headerBytes, other, slowest, idle);
    }
}
