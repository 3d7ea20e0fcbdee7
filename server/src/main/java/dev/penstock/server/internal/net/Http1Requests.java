package dev.penstock.server.internal.net;

import dev.penstock.server.internal.fields.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Follows the requests and answers of an HTTP/1 connection, between the codec and the server. It passes on one request
 * at a time, refuses requests with an invalid {@code Host} and unfinished ones for which there is no room, and limits
 * how much of a body it reads after the answer was sent.
 *
 * <p>A client may send the next requests before it has read the answer to the first one. Requests that the codec has
 * already decoded wait here. All later bytes wait undecoded in {@link ReadPause}.
 *
 * <p>Called on the connection's event loop only.
 */
final class Http1Requests extends ChannelDuplexHandler {
    /**
     * How much of a body, and for how long, is read after its answer was sent, so that the client can read the answer.
     */
    private static final int LINGER_BYTES = 1 << 20;

    private static final long LINGER_MILLIS = 1_000;

    private final ReadPause pause;
    private final UnfinishedRequests unfinished;
    private final Runnable upgraded;
    private boolean isHttp2;
    private boolean isInBody;
    private boolean isRefused;
    private boolean isUnanswered;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>(0);
    private @Nullable Future<?> linger;
    private boolean hasArrived;
    private @Nullable HttpRequest uncounted;
    private int countedBytes;
    private int lingerBytes;

    /** @param upgraded called before the first HTTP/2 stream is opened */
    Http1Requests(ReadPause pause, UnfinishedRequests unfinished, Runnable upgraded) {
        this.pause = pause;
        this.unfinished = unfinished;
        this.upgraded = upgraded;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        hasArrived = true;
        if (hasToWait(message)) {
            waiting.add(message);
        } else {
            pass(context, message);
        }
    }

    private boolean hasToWait(Object message) {
        return !waiting.isEmpty() || (isUnanswered && message instanceof HttpRequest);
    }

    /**
     * Passes on the next waiting request, and further ones as long as each is answered at once. Resumes reading when
     * none waits.
     */
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
        uncounted = isInBody ? request : null;
        pause.asked();
        if (request.decoderResult().isSuccess() && !HostField.isValid(request)) {
            request.setDecoderResult(DecoderResult.failure(new IllegalArgumentException("host")));
        }
    }

    private static int sizeOf(HttpRequest request) {
        int bytes = UnfinishedRequests.REQUEST_BYTES + request.uri().length();
        for (Map.Entry<CharSequence, CharSequence> each :
                (Iterable<Map.Entry<CharSequence, CharSequence>>) request.headers()::iteratorCharSequence) {
            bytes += each.getKey().length() + each.getValue().length();
        }
        return bytes;
    }

    private void end(ChannelHandlerContext context) {
        isInBody = false;
        uncounted = null;
        pause.received();
        forget();
        stopLingering();
        if (isRefused) {
            ForcedClose.now(context.channel());
        }
    }

    /** Counts a part of a body that has arrived. */
    private void follow(ChannelHandlerContext context, ByteBuf content) {
        if (linger != null) {
            lingerBytes += content.readableBytes();
            if (lingerBytes > LINGER_BYTES) {
                ForcedClose.now(context.channel());
            }
        } else if (!hasRoom(content.readableBytes() + UnfinishedRequests.PART_BYTES)) {
            refuse(context);
        }
    }

    private boolean hasRoom(int more) {
        countedBytes += more;
        return unfinished.add(more);
    }

    private void forget() {
        if (countedBytes > 0) {
            unfinished.remove(countedBytes);
            countedBytes = 0;
        }
    }

    /** Counts the header of a request whose body has not arrived with it. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        HttpRequest begun = uncounted;
        if (begun != null && !isRefused) {
            uncounted = null;
            if (!hasRoom(sizeOf(begun))) {
                refuse(context);
            }
        }
        context.fireChannelReadComplete();
    }

    /** Returns a handler for the bytes that the codec decodes. It counts those of an unfinished header. */
    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
                hasArrived = false;
                context.fireChannelRead(message);
                if (!hasArrived && !isInBody && !isHttp2 && !hasRoom(bytes)) {
                    ForcedClose.now(context.channel());
                }
            }
        };
    }

    /** Answers instead of the server, which still waits for the body. */
    private void refuse(ChannelHandlerContext context) {
        isRefused = true;
        forget();
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
        // These bytes are not HTTP/1: they are the server's settings, the first HTTP/2 frame. Empty buffers are no
        // frames; they only signal that everything before them was sent.
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
            } else { // not at once: the server still has to finish the answered request
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
        forget();
        stopLingering();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        context.fireChannelInactive();
    }
}
