package dev.penstock.bench.steady;

import dev.penstock.bench.server.Wire;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a request on a connection. Only the user's number and, over HTTP/2, the stream change. HTTP/2 header
 * fields are literals without indexing, so they are the same for every request.
 */
final class RequestTemplate {
    private static final int FRAME_HEAD_BYTES = 9;
    private static final int STREAM_AT = 5;
    private static final int HEADERS = 1;
    private static final int DATA = 0;
    private static final int END_HEADERS = 4;
    private static final int END_STREAM = 1;
    private static final int DIGITS = 8;

    private static final int METHOD_POST = 0x83;
    private static final int SCHEME_HTTP = 0x86;
    private static final int AUTHORITY = 0x01;
    private static final int PATH = 0x04;
    private static final int[] CONTENT_TYPE = {0x0f, 0x10};
    private static final int NEW_NAME = 0x00;

    private final Wire wire;
    private final byte[] bytes;
    private final int dataAt;
    private final int numberAt;
    private final int bodyLength;

    private RequestTemplate(Wire wire, byte[] head, byte[] body, int numberInBody) {
        this.wire = wire;
        this.bytes = new byte[head.length + body.length];
        System.arraycopy(head, 0, bytes, 0, head.length);
        System.arraycopy(body, 0, bytes, head.length, body.length);
        this.dataAt = head.length - FRAME_HEAD_BYTES;
        this.numberAt = head.length + numberInBody;
        this.bodyLength = body.length;
    }

    /**
     * Creates a template.
     *
     * @param kind the attribute that policies match
     */
    static RequestTemplate of(Wire wire, String kind) {
        byte[] body = wire.body(kind);
        byte[] head = wire == Wire.HTTP1 ? http1Head(wire, body.length) : http2Head(wire, body.length);
        return new RequestTemplate(wire, head, body, Wire.numberAt(body));
    }

    Wire wire() {
        return wire;
    }

    int bodyLength() {
        return bodyLength;
    }

    /** Appends a request to a buffer. HTTP/1.1 ignores {@code stream}. */
    void write(ByteBuf to, int user, int stream) {
        int start = to.writerIndex();
        to.writeBytes(bytes);
        if (wire != Wire.HTTP1) {
            to.setInt(start + STREAM_AT, stream);
            to.setInt(start + dataAt + STREAM_AT, stream);
        }
        int left = user;
        for (int i = DIGITS - 1; i >= 0; i--) {
            to.setByte(start + numberAt + i, '0' + left % 10);
            left /= 10;
        }
    }

    private static byte[] http1Head(Wire wire, int length) {
        return ("POST " + wire.path() + " HTTP/1.1\r\nhost: localhost\r\ncontent-type: " + wire.contentType()
                        + "\r\ncontent-length: " + length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] http2Head(Wire wire, int length) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(METHOD_POST);
        block.write(SCHEME_HTTP);
        block.write(AUTHORITY);
        text(block, "localhost");
        block.write(PATH);
        text(block, wire.path());
        for (int each : CONTENT_TYPE) {
            block.write(each);
        }
        text(block, wire.contentType());
        if (wire == Wire.GRPC) {
            block.write(NEW_NAME);
            text(block, "te");
            text(block, "trailers");
        }
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        frameHead(head, block.size(), HEADERS, END_HEADERS);
        head.writeBytes(block.toByteArray());
        frameHead(head, length, DATA, END_STREAM);
        return head.toByteArray();
    }

    private static void frameHead(ByteArrayOutputStream to, int length, int type, int flags) {
        to.write(length >>> 16);
        to.write(length >>> 8);
        to.write(length);
        to.write(type);
        to.write(flags);
        to.writeBytes(new byte[Integer.BYTES]);
    }

    private static void text(ByteArrayOutputStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        to.write(bytes.length); // below 127, so one byte is enough
        to.writeBytes(bytes);
    }
}
