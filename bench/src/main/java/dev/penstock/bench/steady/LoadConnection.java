package dev.penstock.bench.steady;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to a service, which writes requests and reads answers. Used only on the event loop. */
abstract class LoadConnection extends ByteToMessageDecoder {
    /** Receives the outcomes of requests. */
    interface Listener {
        void opened(LoadConnection connection);

        void answered(int request, AnswerKind kind);

        /** The service reported that it did not process the request, so it may be sent again. */
        void refused(int request);

        void closed(LoadConnection connection);

        /** Everything that had arrived was read. */
        void readComplete();
    }

    private final RequestTemplate template;
    private final Listener listener;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf unsent;
    private boolean isOpen;

    LoadConnection(RequestTemplate template, Listener listener) {
        this.template = template;
        this.listener = listener;
    }

    RequestTemplate template() {
        return template;
    }

    Listener listener() {
        return listener;
    }

    /** Returns true if a request can be sent now. */
    abstract boolean isFree();

    /** Writes a request, which is sent with the next {@link #flush()}. */
    abstract void send(int request, int user);

    /** Reports the requests in flight as closed, because the connection is gone. */
    abstract void abandon();

    abstract void begin(ByteBuf to);

    boolean isOpen() {
        return isOpen;
    }

    final ByteBuf unsent() {
        ByteBuf buffer = unsent;
        if (buffer == null) {
            buffer = context().alloc().buffer(1024);
            unsent = buffer;
        }
        return buffer;
    }

    final void flush() {
        ByteBuf buffer = unsent;
        if (buffer != null && isOpen) {
            unsent = null;
            var unused = context().writeAndFlush(buffer);
        }
    }

    final void close() {
        if (context != null) {
            var unused = context.close();
        }
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("connection: not open (expected: open)");
        }
        return context;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        isOpen = true;
        begin(unsent());
        flush();
        listener.opened(this);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        if (unsent != null) {
            unsent.release();
            unsent = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        super.channelInactive(ctx);
        if (isOpen) {
            isOpen = false;
            abandon();
            listener.closed(this);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        super.channelReadComplete(ctx);
        listener.readComplete();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        var unused = ctx.close();
    }

    @Override
    protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        read(ctx, in);
    }

    abstract void read(ChannelHandlerContext ctx, ByteBuf in) throws Exception;
}
