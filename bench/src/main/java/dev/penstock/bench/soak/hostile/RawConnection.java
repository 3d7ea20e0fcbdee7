package dev.penstock.bench.soak.hostile;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection that sends raw bytes. Its receive buffer is small, so that unread answers soon accumulate in the
 * service. Not thread-safe, except for {@link #close()}.
 */
final class RawConnection implements AutoCloseable {
    /** An HTTP/1.1 answer. */
    record Answer(int status, String body) {}

    /** An HTTP/2 frame. Each character of the payload stands for a byte. */
    record Frame(int type, int stream, String payload) {}

    /** Far longer than the service lets any client wait. */
    private static final int PATIENCE_MILLIS = 60_000;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int LONGEST_HEAD = 64 << 10;
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d{1,9})$");

    private static final Pattern GRPC_STATUS = Pattern.compile("(?i)^grpc-status: *(\\d{1,2})");

    private final Socket socket;
    private final DataInputStream in;
    private final Consumer<RawConnection> closed;

    private RawConnection(Socket socket, Consumer<RawConnection> closed) throws IOException {
        this.socket = socket;
        this.closed = closed;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /**
     * Opens a connection.
     *
     * @param closed is called when the connection is closed on this side
     */
    static RawConnection to(int port, Consumer<RawConnection> closed) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(BUFFER_BYTES);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            return new RawConnection(socket, closed);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void send(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * Sends a piece repeatedly without reading. Returns false if the service accepted this many bytes without closing
     * the connection.
     */
    boolean isCutWhileSending(byte[] piece, long atMostBytes) {
        try {
            for (long sent = 0; sent < atMostBytes; sent += piece.length) {
                send(piece);
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Reads until the service closes the connection. Returns true if it did so in time. */
    boolean isEnded() {
        byte[] ignored = new byte[BUFFER_BYTES];
        try {
            while (in.read(ignored) >= 0) {
                // continues
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Sends an HTTP/1.1 request and reads its answer. */
    Answer exchange(String request) throws IOException {
        send(request);
        return answer();
    }

    /** Reads one HTTP/1.1 answer, without its trailers. */
    Answer answer() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 || head.length() > LONGEST_HEAD) {
                throw new EOFException("closed within a head: " + head);
            }
            head.append((char) next);
        }
        Matcher length = LENGTH.matcher(head.toString().replace("\r", ""));
        byte[] body = new byte[length.find() ? Integer.parseInt(length.group(1)) : 0];
        in.readFully(body);
        return new Answer(Integer.parseInt(head.substring(9, 12)), new String(body, StandardCharsets.UTF_8));
    }

    /** Reads up to the status of a gRPC call, which is in the head of the answer or after its body. */
    int grpcStatus() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = 0; read < LONGEST_HEAD; read++) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            line.append((char) next);
            Matcher status = GRPC_STATUS.matcher(line);
            if (next == '\n' && status.find()) {
                return Integer.parseInt(status.group(1));
            } else if (next == '\n') {
                line.setLength(0);
            }
        }
        throw new EOFException("closed before a gRPC status");
    }

    /** Reads the next HTTP/2 frame. */
    Frame frame() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int unusedFlags = in.readUnsignedByte();
        int stream = in.readInt();
        return new Frame(type, stream, new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
    }

    /** Reads frames until there is one for this stream, or until the connection ends. */
    Frame frameAbout(int stream) throws IOException {
        Frame frame = frame();
        while (frame.stream() != stream && frame.type() != Http2Frames.GOAWAY) {
            frame = frame();
        }
        return frame;
    }

    @Override
    public void close() {
        closed.accept(this);
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is closed anyway.
        }
    }
}
