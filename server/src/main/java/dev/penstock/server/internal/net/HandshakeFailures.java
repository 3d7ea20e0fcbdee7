package dev.penstock.server.internal.net;

import dev.penstock.Clock;
import io.netty.handler.ssl.NotSslRecordException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/**
 * Logs failed TLS handshakes, at most once a minute, because anyone who can connect can make them fail. Ignores clients
 * that connect and disconnect without a handshake, as some health checks do. Thread-safe.
 */
final class HandshakeFailures {
    private static final System.Logger LOG = System.getLogger(HandshakeFailures.class.getName());
    private static final long APART_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final int LONGEST = 200;

    private final Clock clock;
    private long nextMicros = Long.MIN_VALUE;
    private long untold;

    HandshakeFailures(Clock clock) {
        this.clock = clock;
    }

    synchronized void add(Throwable cause) {
        if (cause instanceof ClosedChannelException) {
            return;
        }
        long now = clock.micros();
        if (now < nextMicros) {
            untold++;
            return;
        }
        String before = untold == 0 ? "" : ", with " + untold + " more since the last report";
        LOG.log(Level.WARNING, "tls: a handshake failed" + before + ": " + text(cause));
        nextMicros = now + APART_MICROS;
        untold = 0;
    }

    private static String text(Throwable cause) {
        if (cause instanceof NotSslRecordException) { // its message contains the client's bytes
            return "the client did not speak TLS";
        }
        String message = String.valueOf(cause.getMessage());
        return message.substring(0, Math.min(LONGEST, message.length()));
    }
}
