package dev.penstock.server.internal.net;

import dev.penstock.Clock;
import dev.penstock.server.ClientSettings;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds the handlers that bound a client to the pipeline of its connection, between the server's own handlers. This is
 * the only place that knows the order: decrypted bytes pass {@link ReadPause}, then {@link SlowClients}, then the
 * protocol. For HTTP/1, {@link Http1Requests} follows the codec. For HTTP/2, {@link Http2Requests} and {@link
 * ResetLimit} surround the handler.
 *
 * <p>Called on the connection's event loop only.
 */
final class ConnectionPipeline {
    /** The number of bytes after which the server knows the protocol. */
    private static final int TELLING_BYTES = 4;

    /**
     * Answers that arrive together from the store are sent to a client together: one flush for all that the event loop
     * has at hand, and at least one for this number.
     */
    private static final int MOST_ANSWERS_PER_FLUSH = 256;

    private final ChannelPipeline pipeline;
    private final Http2Connections http2;
    private final UnreadAnswers unread;
    private final UnfinishedRequests unfinished;
    private final ReadPause pause;
    private final SlowClients slow;

    private ConnectionPipeline(
            ChannelPipeline pipeline, ClientSettings clients, BufferBudget budget, Http2Connections http2) {
        this.pipeline = pipeline;
        this.http2 = http2;
        Channel channel = pipeline.channel();
        long slowestMillis = clients.slowest().toMillis();
        this.unread = new UnreadAnswers(channel, slowestMillis, budget);
        this.unfinished = new UnfinishedRequests(channel, clients.bodyBytes(), budget);
        this.pause = new ReadPause(channel, unread);
        this.slow = new SlowClients(channel, slowestMillis);
    }

    /**
     * Completes the pipeline of a new connection, which so far has only the server's own handlers.
     *
     * @param failures counts failed TLS handshakes; null without TLS
     * @param http2 is informed of the protocol that the client speaks
     */
    static void complete(
            ChannelPipeline pipeline,
            @Nullable HandshakeFailures failures,
            ClientSettings clients,
            BufferBudget budget,
            Http2Connections http2) {
        pipeline.addFirst(new FlushConsolidationHandler(MOST_ANSWERS_PER_FLUSH, true));
        ConnectionPipeline connection = new ConnectionPipeline(pipeline, clients, budget, http2);
        List<String> names = pipeline.names(); // the last is Netty's own tail
        String last = names.get(names.size() - 2);
        if (failures != null) { // the server adds the HTTP handlers behind the last one, once the version is known
            connection.seeBytes(last);
            pipeline.addLast(connection.new Handshake(failures));
            connection.slow.handshakeBegins();
        } else {
            String protocol = names.get(names.size() - 3);
            connection.seeBytes(protocol);
            pipeline.addBefore(protocol, null, connection.new FirstBytes());
            pipeline.addBefore(last, null, connection.slow.requests());
        }
    }

    private void seeBytes(String protocol) {
        pipeline.addBefore(protocol, null, pause);
        pipeline.addBefore(protocol, null, slow.bytes());
    }

    /**
     * Called when the server has chosen the protocol.
     *
     * @param behind the handler behind which the server has added the handlers of the protocol
     */
    private void chosen(String behind) {
        if (pipeline.get(Http2ConnectionHandler.class) != null) {
            http2();
            return;
        }
        List<String> names = pipeline.names();
        int codec = names.indexOf(behind) + 1;
        Http1Requests requests = new Http1Requests(pause, unfinished, this::http2);
        pipeline.addBefore(names.get(codec), null, requests.bytes());
        pipeline.addAfter(names.get(codec), null, requests);
        http2.isHttp1(pipeline.channel());
    }

    /** Adds the handlers for HTTP/2, also after an upgrade from HTTP/1. No stream is open yet. */
    private void http2() {
        ChannelHandlerContext context = pipeline.context(Http2ConnectionHandler.class);
        Http2ConnectionHandler handler = (Http2ConnectionHandler) context.handler();
        pause.isHttp2();
        ResetLimit resets = new ResetLimit(handler, context, Clock.system());
        pipeline.addBefore(context.name(), null, resets);
        Http2Requests requests = new Http2Requests(handler, context, resets, unfinished);
        pipeline.addBefore(context.name(), null, requests.bytes());
        handler.decoder().frameListener(requests);
        Http2Answers answers = new Http2Answers(handler.decoder(), unread);
        try {
            answers.initialWindowSize(handler.encoder().flowController().initialWindowSize());
            handler.connection().remote().flowController(answers);
            answers.channelHandlerContext(context);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a connection without streams", e);
        }
        http2.isHttp2(pipeline.channel());
    }

    /** Waits for the TLS handshake, which also chooses the HTTP version. */
    private final class Handshake extends ChannelInboundHandlerAdapter {
        private final HandshakeFailures failures;

        private Handshake(HandshakeFailures failures) {
            this.failures = failures;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
                slow.handshakeEnds();
                pipeline.remove(this);
                List<String> names = pipeline.names();
                pipeline.addBefore(names.get(names.size() - 2), null, slow.requests());
                chosen(bytesName());
            } else if (event instanceof SslHandshakeCompletionEvent done) {
                failures.add(done.cause());
            }
            context.fireUserEventTriggered(event);
        }

        private String bytesName() {
            List<String> names = pipeline.names();
            return names.get(names.indexOf(pipeline.context(pause).name()) + 1);
        }
    }

    /** Passes on the bytes from which the server detects the protocol before it passes on the rest. */
    private final class FirstBytes extends ChannelInboundHandlerAdapter {
        private int seen;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!(message instanceof ByteBuf bytes) || seen + bytes.readableBytes() < TELLING_BYTES) {
                seen += message instanceof ByteBuf few ? few.readableBytes() : 0;
                context.fireChannelRead(message);
                return;
            }
            context.fireChannelRead(bytes.readRetainedSlice(TELLING_BYTES - seen));
            chosen(context.name());
            context.fireChannelRead(bytes);
            pipeline.remove(this);
        }
    }
}
