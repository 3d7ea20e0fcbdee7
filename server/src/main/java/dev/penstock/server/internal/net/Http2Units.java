package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Follows what comes in on a connection of HTTP/2 by units that have to come in whole: the preface, each frame, the frames
 * of one header together. Says so where it is not HTTP/2. Not thread-safe.
 */
final class Http2Units {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Enough of the preface for no request of HTTP/1 to begin so. */
    private static final int TELLING = 4;

    private static final int HEAD = 9;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private boolean isHttp2;
    private boolean isOther;

    /** How much of the preface was read, or of the head of a frame. */
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
            isOther = !isHttp2; // a wrong end is for the server to refuse
            prefaceBytes = isOther ? 0 : PREFACE.length;
            return;
        }
        prefaceBytes++;
        isHttp2 |= prefaceBytes == TELLING;
    }

    /** One byte of a frame's head: three of length, then type, flags, and four of the stream. */
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

    /** Whether a unit has begun and not ended. */
    boolean isOpen() {
        return prefaceBytes < PREFACE.length || headBytes > 0 || payloadBytes > 0 || isHeaderOpen;
    }

    /** Counts the units. */
    long number() {
        return number;
    }
}
