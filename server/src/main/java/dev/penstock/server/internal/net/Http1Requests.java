package dev.penstock.server.internal.net;

import dev.penstock.server.internal.fields.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows the requests of a connection of HTTP/1 and their answers, between the codec and the server. It passes on one request at
 * a time, refuses those with a wrong {@code Host} and bodies for which there is no room, and reads no body to its end after the
 * answer was sent.
 *
 * <p>A client may send the next requests before it has read the answer to the first. They wait: those that the codec has made of
 * the last few bytes here, all others unread in {@link ReadPause}.
 *
 * <p>Called on the connection's event loop only.
 */
final class Http1Requests extends ChannelDuplexHandler {
    /** How much of a body, and for how long, is read after its answer was sent, so that the client gets to read the answer. */
    private static final int LINGER_BYTES = 1 << 20;

    private static final long LINGER_MILLIS = 1_000;

    private final ReadPause pause;
    private final UnfinishedBodies bodies;
    private final Runnable upgraded;
    private boolean isHttp2;
    private boolean isInBody;
    private boolean isRefused;
    private boolean isUnanswered;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>(0);
    private @Nullable Future<?> linger;
    private int bodyBytes;
    private int lingerBytes;

    /** @param upgraded called before the first stream of HTTP/2 is opened */
    Http1Requests(ReadPause pause, UnfinishedBodies bodies, Runnable upgraded) {
        this.pause = pause;
        this.bodies = bodies;
        this.upgraded = upgraded;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (hasToWait(message)) {
            waiting.add(message);
        } else {
            pass(context, message);
        }
    }

    private boolean hasToWait(Object message) {
        return !waiting.isEmpty() || (isUnanswered && message instanceof HttpRequest);
    }

    /** Passes on the next request that waits, and the one after that if it is answered at once. More is read when none waits. */
    private void passWaiting(ChannelHandlerContext context) {
        while (!waiting.isEmpty() && !(isUnanswered && waiting.peek() instanceof HttpRequest)) {
            pass(context, waiting.remove());
        }
        if (waiting.isEmpty() && !isUnanswered) {
            pause.answered();
        }
    }

    private void pass(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            begin(request);
        }
        if (message instanceof LastHttpContent) {
            end(context);
        } else if (message instanceof HttpContent content) {
            follow(context, content.content());
        }
        if (isRefused) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void begin(HttpRequest request) {
        isInBody = request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
                || request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
        isUnanswered = true;
        pause.asked();
        if (request.decoderResult().isSuccess() && !HostField.isValid(request)) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("host")));
        }
    }

    private void end(ChannelHandlerContext context) {
        isInBody = false;
        pause.received();
        forgetBody();
        stopLingering();
        if (isRefused) {
            ForcedClose.now(context.channel());
        }
    }

    /** A part of a body came in. */
    private void follow(ChannelHandlerContext context, ByteBuf content) {
        if (linger != null) {
            lingerBytes += content.readableBytes();
            if (lingerBytes > LINGER_BYTES) {
                ForcedClose.now(context.channel());
            }
        } else if (!hasRoom(content)) {
            refuse(context);
        }
    }

    private boolean hasRoom(ByteBuf content) {
        bodyBytes += content.readableBytes();
        return bodies.add(content.readableBytes());
    }

    private void forgetBody() {
        if (bodyBytes > 0) {
            bodies.remove(bodyBytes);
            bodyBytes = 0;
        }
    }

    /** In the place of the server, which still waits for the body. */
    private void refuse(ChannelHandlerContext context) {
        isRefused = true;
        forgetBody();
        if (isUnanswered) {
            Problem problem = Problem.ofRequest(503, "This node holds too many unfinished requests.", null);
            ByteBuf body = Unpooled.wrappedBuffer(problem.toJson());
            DefaultFullHttpResponse answer =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SERVICE_UNAVAILABLE, body);
            answer.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                    .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
                    .set(HttpHeaderNames.RETRY_AFTER, 1)
                    .set(HttpHeaderNames.CONNECTION, "close");
            var unused = context.writeAndFlush(answer);
        }
        if (linger == null) {
            linger(context);
        }
    }

    private void linger(ChannelHandlerContext context) {
        lingerBytes = 0;
        linger = context.executor()
                .schedule(() -> ForcedClose.now(context.channel()), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void stopLingering() {
        if (linger != null) {
            linger.cancel(false);
            linger = null;
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        // Not of HTTP/1: the server's settings, its first frame. An empty buffer only tells when all before it was
        // sent.
        if (message instanceof ByteBuf bytes && bytes.isReadable() && !isHttp2) {
            isHttp2 = true;
            upgraded.run();
        }
        boolean isAnswered = message instanceof LastHttpContent && !isInformational(message);
        var unused = context.write(message, promise);
        if (isAnswered) {
            isUnanswered = false;
            if (isInBody && linger == null) {
                linger(context);
            }
            if (waiting.isEmpty()) {
                pause.answered();
            } else { // not at once: the server is about to end the request that it has answered
                context.executor().execute(() -> passWaiting(context));
            }
        }
    }

    private static boolean isInformational(Object message) {
        return message instanceof HttpResponse response
                && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forgetBody();
        stopLingering();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        context.fireChannelInactive();
    }
}
