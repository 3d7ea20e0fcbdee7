package dev.penstock.server.internal.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** A persistent HTTP/1.1 connection that sends one request after the other. */
public final class Http1Connection implements Connection {
    private static final String LENGTH = "content-length:";

    private final Socket socket;
    private final InputStream in;

    /** Connects to a port of this machine. */
    public Http1Connection(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    @Override
    public byte[] exchange(List<OutgoingRequest> requests) throws IOException {
        byte[] body = {};
        for (OutgoingRequest request : requests) {
            socket.getOutputStream().write(bytes(request));
            body = response();
        }
        return body;
    }

    private static byte[] bytes(OutgoingRequest request) {
        StringBuilder head = new StringBuilder(request.method())
                .append(' ')
                .append(request.path())
                .append(" HTTP/1.1\r\nhost: localhost\r\n");
        request.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        head.append(LENGTH).append(' ').append(request.body().length).append("\r\n\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(head.length() + request.body().length);
        bytes.writeBytes(Connection.ascii(head.toString()));
        bytes.writeBytes(request.body());
        return bytes.toByteArray();
    }

    private byte[] response() throws IOException {
        int length = 0;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                length = Integer.parseInt(line.substring(LENGTH.length()).strip());
            }
        }
        if (length > LARGEST_RESPONSE) {
            throw new IOException("a response of " + length + " bytes (expected: at most " + LARGEST_RESPONSE + ")");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the connection ended within a response");
        }
        return body;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
