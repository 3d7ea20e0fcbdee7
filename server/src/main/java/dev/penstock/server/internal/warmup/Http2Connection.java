package dev.penstock.server.internal.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/**
 * A plaintext HTTP/2 connection, opened without an upgrade, that sends requests concurrently. It does not parse
 * responses: a stream that has ended counts as answered.
 */
public final class Http2Connection implements Connection {
    private static final byte[] PREFACE = Connection.ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;

    /** The flow-control window. It is far larger than all responses of a warm-up, so it never has to be renewed. */
    private static final int WINDOW = 1 << 30;

    private final Socket socket;
    private final DataInputStream in;
    private int lastStream = -1;

    /** Connects to a port of this machine. */
    public Http2Connection(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        ByteArrayOutputStream begin = new ByteArrayOutputStream();
        begin.writeBytes(PREFACE);
        frame(begin, SETTINGS, 0, 0, new byte[0]);
        frame(begin, WINDOW_UPDATE, 0, 0, new byte[] {(byte) (WINDOW >>> 24), 0, 0, 0});
        socket.getOutputStream().write(begin.toByteArray());
    }

    @Override
    public byte[] exchange(List<OutgoingRequest> requests) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (OutgoingRequest request : requests) {
            lastStream += 2;
            boolean isBare = request.body().length == 0;
            frame(out, HEADERS, END_HEADERS | (isBare ? END_STREAM : 0), lastStream, headers(request));
            if (!isBare) {
                frame(out, DATA, END_STREAM, lastStream, request.body());
            }
        }
        socket.getOutputStream().write(out.toByteArray());
        int open = requests.size();
        while (open > 0) {
            open -= isEnd() ? 1 : 0;
        }
        return new byte[0];
    }

    /** Reads a frame and acknowledges it if necessary. Returns true if the frame ends a stream. */
    private boolean isEnd() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        in.readInt();
        if (length > LARGEST_RESPONSE) {
            throw new IOException("a frame of " + length + " bytes (expected: at most " + LARGEST_RESPONSE + ")");
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        switch (type) {
            case SETTINGS, PING -> {
                if ((flags & ACK) == 0) {
                    ByteArrayOutputStream ack = new ByteArrayOutputStream();
                    frame(ack, type, ACK, 0, type == PING ? payload : new byte[0]);
                    socket.getOutputStream().write(ack.toByteArray());
                }
            }
            case GOAWAY -> throw new IOException("the service ended the connection");
            default -> {}
        }
        return type == RST_STREAM || ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0);
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.write(payload.length >>> 16);
        out.write(payload.length >>> 8);
        out.write(payload.length);
        out.write(type);
        out.write(flags);
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.write(stream >>> shift);
        }
        out.writeBytes(payload);
    }

    private static byte[] headers(OutgoingRequest request) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        field(out, ":method", request.method());
        field(out, ":scheme", "http");
        field(out, ":authority", "localhost");
        field(out, ":path", request.path());
        request.headers().forEach((name, value) -> field(out, name, value));
        return out.toByteArray();
    }

    /** Writes a literal header field without indexing (RFC 7541, 6.2.2). Both texts must be shorter than 127 bytes. */
    private static void field(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        for (String text : List.of(name, value)) {
            byte[] bytes = Connection.ascii(text);
            out.write(bytes.length);
            out.writeBytes(bytes);
        }
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
