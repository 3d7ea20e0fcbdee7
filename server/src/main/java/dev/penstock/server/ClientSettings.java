package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * How much of the service one who calls it may take up.
 *
 * @param connections how many there may be at a time on the main port; one more is closed at once
 * @param streams the maximum number of requests under way at a time on one connection of HTTP/2; beyond it streams are refused
 * @param waiting the maximum number of decisions that wait for the store at a time; one more is answered as overloaded
 * @param bodyBytes the largest body of a request
 * @param headerBytes the largest header of a request
 * @param bufferBytes the bytes that unread answers and unfinished bodies may take together; 0: an eighth of the heap
 * @param slowest how long a request may take to come in, its header and its body each, and TLS to be agreed on
 * @param idle how long a connection may be silent
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
