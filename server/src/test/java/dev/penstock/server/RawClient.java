package dev.penstock.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** A connection that sends bytes that no proper client would. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
    }

    static RawClient to(int port) throws IOException {
        return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Returns a client whose own side buffers only a few kilobytes that it does not read. */
    static RawClient withSmallBuffer(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawClient(socket);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Sends unless the other side has cut the connection. Returns true if that worked. */
    boolean trySend(byte... bytes) {
        try {
            send(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Sends a piece repeatedly until the other side cuts the connection, or {@code atMost} bytes were sent. Returns the
     * number of bytes sent.
     */
    long sendUntilCut(byte[] piece, long atMost) {
        long sent = 0;
        while (sent < atMost && trySend(piece)) {
            sent += piece.length;
        }
        return sent;
    }

    /** Returns all text until the other side closes. */
    String all() {
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still open after " + PATIENCE_MILLIS + " ms; received: " + text, e);
        } catch (IOException e) { // a reset is a close too
        }
        return text.toString();
    }

    /** Reads at least up to the text, and returns everything read. */
    String until(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (text.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed before " + end + "; received: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Reads at least up to the first match or the end, and returns everything read. */
    String untilMatch(Pattern pattern) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            text.append((char) next);
            if (next == '\n' && pattern.matcher(text).find()) {
                break;
            }
        }
        return text.toString();
    }

    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
