package dev.penstock.server.internal.warmup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection to the service over which one thread sends requests. Only {@link #close} may be called by another one. */
public interface Connection extends AutoCloseable {
    /** How long a response may take. */
    int READ_TIMEOUT_MILLIS = 5_000;

    /** The largest response that is read. */
    int LARGEST_RESPONSE = 1 << 20;

    /**
     * Sends the requests and waits for all responses.
     *
     * @return the body of the last response; empty where the protocol's client does not keep it
     */
    byte[] exchange(List<OutgoingRequest> requests) throws IOException;

    /** Ends the connection, and an exchange that is under way with an error. */
    @Override
    void close();

    /** Text as it is sent in headers. */
    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
