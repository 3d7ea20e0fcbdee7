package dev.penstock.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Builds frames of HTTP/2, valid and invalid ones, as bytes. */
final class Http2Bytes {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    /**
     * A frame from the other side.
     *
     * @param payload one character for each byte
     */
    record Frame(int type, int flags, int stream, String payload) {}

    private Http2Bytes() {}

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .put((byte) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** Returns the preface and empty settings. */
    static byte[] hello() {
        return join(PREFACE, frame(SETTINGS, 0, 0));
    }

    /** Returns a header block with GET for a path, without the dynamic table and without Huffman codes. */
    static byte[] get(String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0x82); // :method GET
        out.write(0x86); // :scheme http
        literal(out, 4, path); // :path
        literal(out, 1, "a"); // :authority
        return out.toByteArray();
    }

    /** Returns a header block with POST for a path, in the same form. */
    static byte[] post(String path) {
        byte[] header = get(path);
        header[0] = (byte) 0x83; // :method POST
        return header;
    }

    /** Returns the preface and settings that leave no window for answers. */
    static byte[] helloWithoutWindow() {
        return join(PREFACE, frame(SETTINGS, 0, 0, (byte) 0, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0));
    }

    /** Returns a field with a new name. Both texts have up to 126 characters. */
    static byte[] field(String name, String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(0);
        text(out, name);
        text(out, value);
        return out.toByteArray();
    }

    private static void literal(ByteArrayOutputStream out, int name, String value) {
        out.write(name);
        text(out, value);
    }

    private static void text(ByteArrayOutputStream out, String text) {
        out.write(text.length());
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Returns the next frame, or null if the other side closed. */
    static Frame next(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        try {
            int length = data.readUnsignedByte() << 16 | data.readUnsignedShort();
            int type = data.readUnsignedByte();
            int flags = data.readUnsignedByte();
            int stream = data.readInt();
            return new Frame(type, flags, stream, new String(data.readNBytes(length), StandardCharsets.ISO_8859_1));
        } catch (EOFException | SocketException e) {
            return null;
        }
    }
}
