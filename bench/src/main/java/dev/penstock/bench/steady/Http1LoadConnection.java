package dev.penstock.bench.steady;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;

/** An HTTP/1.1 connection with one request at a time. */
final class Http1LoadConnection extends LoadConnection {
    private static final int NONE = -1;
    private static final int STATUS_AT = 9;
    private static final ByteBuf HEAD_END = text("\r\n\r\n");
    private static final ByteBuf LENGTH = text("content-length: ");
    private static final ByteBuf CLOSE = text("connection: close");

    private int underway = NONE;
    private boolean isEnding;

    Http1LoadConnection(RequestTemplate template, Listener listener) {
        super(template, listener);
    }

    private static ByteBuf text(String text) {
        return Unpooled.unreleasableBuffer(
                Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII).asReadOnly());
    }

    @Override
    void begin(ByteBuf to) {}

    @Override
    boolean isFree() {
        return isOpen() && underway == NONE && !isEnding;
    }

    @Override
    void send(int request, int user) {
        underway = request;
        template().write(unsent(), user, 0);
    }

    @Override
    void read(ChannelHandlerContext ctx, ByteBuf in) {
        int end = ByteBufUtil.indexOf(HEAD_END, in);
        if (end < 0) {
            return;
        }
        int start = in.readerIndex();
        ByteBuf head = in.slice(start, end - start);
        int bodyAt = end + HEAD_END.readableBytes();
        int length = number(head, ByteBufUtil.indexOf(LENGTH, head));
        if (in.writerIndex() - bodyAt < length) {
            return;
        }
        int status = Integer.parseInt(head.toString(STATUS_AT, 3, StandardCharsets.US_ASCII));
        AnswerKind kind = AnswerKind.ofJson(status, in.slice(bodyAt, length));
        isEnding = ByteBufUtil.indexOf(CLOSE, head) >= 0;
        in.readerIndex(bodyAt + length);
        int answered = underway;
        underway = NONE;
        if (answered != NONE) {
            listener().answered(answered, kind);
        }
    }

    private static int number(ByteBuf head, int labelAt) {
        if (labelAt < 0) {
            return 0;
        }
        int number = 0;
        for (int i = labelAt + LENGTH.readableBytes(); i < head.writerIndex(); i++) {
            byte digit = head.getByte(i);
            if (digit < '0' || digit > '9') {
                break;
            }
            number = number * 10 + digit - '0';
        }
        return number;
    }

    @Override
    void abandon() {
        int lost = underway;
        underway = NONE;
        if (lost != NONE) {
            listener().answered(lost, AnswerKind.FAILED);
        }
    }
}
