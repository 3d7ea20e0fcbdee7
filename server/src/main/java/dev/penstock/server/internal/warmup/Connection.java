package dev.penstock.server.internal.warmup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection to the service over which one thread sends requests. Other threads may only call {@link #close}. */
public interface Connection extends AutoCloseable {
    /** The maximum time to wait for a response. */
    int READ_TIMEOUT_MILLIS = 5_000;

    /** The size of the largest response that is accepted. */
    int LARGEST_RESPONSE = 1 << 20;

    /**
     * Sends the requests and waits for all responses.
     *
     * @return the body of the last response; empty if this client does not keep bodies
     */
    byte[] exchange(List<OutgoingRequest> requests) throws IOException;

    /** Closes the connection. An exchange in progress fails. */
    @Override
    void close();

    /** Returns the text in the encoding of headers. */
    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
