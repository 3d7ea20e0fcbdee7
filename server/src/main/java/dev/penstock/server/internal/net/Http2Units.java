package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Splits the incoming bytes of an HTTP/2 connection into units that must arrive whole: the preface, each frame, and all
 * frames of one header together. Detects connections that do not speak HTTP/2. Not thread-safe.
 */
final class Http2Units {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** The number of bytes of the preface with which no HTTP/1 request can begin. */
    private static final int TELLING = 4;

    private static final int HEAD = 9;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private boolean isHttp2;
    private boolean isOther;

    /** The number of bytes read of the preface, and of a frame's head. */
    private int prefaceBytes;

    private int headBytes;
    private int length;
    private int payloadBytes;
    private int type;
    private boolean isHeaderOpen;
    private long number;

    void read(ByteBuf bytes) {
        if (isOther && startsAnew(bytes)) { // after an upgrade from HTTP/1
            isOther = false;
        }
        int at = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (at < end && !isOther) {
            if (prefaceBytes < PREFACE.length) {
                preface(bytes.getByte(at++));
            } else if (payloadBytes > 0) {
                int passed = Math.min(payloadBytes, end - at);
                payloadBytes -= passed;
                at += passed;
            } else {
                head(bytes.getByte(at++) & 0xff);
            }
        }
    }

    private static boolean startsAnew(ByteBuf bytes) {
        for (int i = 0; i < TELLING; i++) {
            if (bytes.readableBytes() <= i || bytes.getByte(bytes.readerIndex() + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    private void preface(byte value) {
        if (value != PREFACE[prefaceBytes]) {
            isOther = !isHttp2; // the server refuses a preface with a wrong end
            prefaceBytes = isOther ? 0 : PREFACE.length;
            return;
        }
        prefaceBytes++;
        isHttp2 |= prefaceBytes == TELLING;
    }

    /** Reads one byte of a frame's head: three bytes of length, then type, flags, and four bytes of the stream id. */
    private void head(int value) {
        switch (headBytes++) {
            case 0 -> length = value << 16;
            case 1 -> length |= value << 8;
            case 2 -> length |= value;
            case 3 -> {
                type = value;
                number += isHeaderOpen && type == CONTINUATION ? 0 : 1;
            }
            case 4 -> {
                if (type == HEADERS || type == CONTINUATION) {
                    isHeaderOpen = (value & END_HEADERS) == 0;
                }
            }
            case HEAD - 1 -> {
                payloadBytes = length;
                headBytes = 0;
            }
            default -> {}
        }
    }

    boolean isHttp2() {
        return isHttp2;
    }

    /** Returns true if a unit has begun and not ended. */
    boolean isOpen() {
        return prefaceBytes < PREFACE.length || headBytes > 0 || payloadBytes > 0 || isHeaderOpen;
    }

    /** Returns the number of units so far. */
    long number() {
        return number;
    }
}
