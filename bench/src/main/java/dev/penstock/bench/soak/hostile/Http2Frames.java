package dev.penstock.bench.soak.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** HTTP/2 frames as bytes, including those that no client library would send. */
final class Http2Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    static final byte[] METHOD_GET = {(byte) 0x82};
    static final byte[] METHOD_POST = {(byte) 0x83};
    static final byte[] SCHEME = {(byte) 0x86};
    static final byte[] AUTHORITY = indexed(1, "a");

    private static final int HEAD_BYTES = 9;
    private static final int PATH_INDEX = 4;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Http2Frames() {}

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(HEAD_BYTES + payload.length)
                .putShort((short) (payload.length >> 8))
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

    /** Returns the preface and settings that do not let the service send data. */
    static byte[] helloWithoutWindow() {
        byte[] noWindow = {0, 4, 0, 0, 0, 0};
        return join(PREFACE, frame(SETTINGS, 0, 0, noWindow));
    }

    static byte[] path(String path) {
        return indexed(PATH_INDEX, path);
    }

    /** Returns header fields without using the dynamic table. */
    static byte[] header(byte[] method, String path) {
        return join(method, SCHEME, path(path), AUTHORITY);
    }

    private static byte[] indexed(int index, String value) {
        return join(
                new byte[] {(byte) index, (byte) value.length()}, // below 127, so one byte is enough
                value.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
