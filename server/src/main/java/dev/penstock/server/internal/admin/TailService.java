package dev.penstock.server.internal.admin;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.penstock.observe.Tail;
import dev.penstock.observe.Tail.Follower;
import dev.penstock.server.internal.fields.Problem;
import dev.penstock.server.internal.http.AggregatedService;
import dev.penstock.server.internal.http.Answers;
import dev.penstock.server.internal.http.BadRequest;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /admin/decisions}: streams decisions as they are made, as server-sent events, until the caller disconnects
 * or the service stops. If the caller is too slow, decisions are dropped, and an event {@code dropped} reports how
 * many.
 */
public final class TailService implements AggregatedService, AutoCloseable {
    private static final int MILLIS_BETWEEN = 100;
    private static final int MOST_AT_ONCE = 200;

    /**
     * Number of looks without a decision after which a comment is sent. Intermediaries may close a silent connection.
     */
    private static final int QUIET_LOOKS = 100;

    /** Number of looks after which a caller that reads nothing is cut, to make room for others. */
    private static final int PATIENT_LOOKS = 600;

    private final Tail tail;
    private final int patientLooks;
    private final Set<Subscriber> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean isEnding;

    public TailService(Tail tail) {
        this(tail, PATIENT_LOOKS);
    }

    TailService(Tail tail, int patientLooks) {
        this.tail = tail;
        this.patientLooks = patientLooks;
    }

    @Override
    public CompletionStage<HttpResponse> answer(ServiceRequestContext context, AggregatedHttpRequest request)
            throws BadRequest {
        return CompletableFuture.completedStage(decisions(context, DecisionFilter.of(context)));
    }

    @Override
    public ExchangeType exchangeType(RoutingContext context) {
        return ExchangeType.RESPONSE_STREAMING;
    }

    private HttpResponse decisions(ServiceRequestContext context, DecisionFilter wanted) {
        Follower follower;
        try {
            follower = tail.follow(wanted);
        } catch (IllegalArgumentException e) { // too many streams
            return Answers.problem(
                    Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), String.valueOf(e.getMessage()), null),
                    List.of());
        }
        context.clearRequestTimeout();
        Subscriber sending = new Subscriber(context, follower);
        streams.add(sending);
        sending.begin();
        if (isEnding) {
            sending.end();
        }
        return sending.writer;
    }

    /** Ends all streams, so that nothing waits for them. */
    @Override
    public void close() {
        isEnding = true;
        streams.forEach(Subscriber::end);
    }

    /** Sends to one caller, on its event loop. */
    private final class Subscriber {
        private final HttpResponseWriter writer = HttpResponse.streaming();
        private final ServiceRequestContext context;
        private final EventLoop loop;
        private final Follower follower;
        private boolean isTaken = true;
        private long droppedReported;
        private int quiet;

        Subscriber(ServiceRequestContext context, Follower follower) {
            this.context = context;
            this.loop = context.eventLoop().withoutContext();
            this.follower = follower;
        }

        void begin() {
            var unused = writer.whenComplete().handle((done, failure) -> {
                follower.close();
                return streams.remove(this);
            });
            writer.write(ResponseHeaders.of(
                    HttpStatus.OK, "content-type", "text/event-stream", "cache-control", "no-store"));
            writer.write(HttpData.ofUtf8(": decisions as they are made\n\n"));
            lookLater();
        }

        /** Ends the stream. A caller that has not read what was sent last is cut. */
        void end() {
            loop.execute(() -> {
                if (isTaken) {
                    writer.close();
                } else {
                    cut();
                }
            });
        }

        /**
         * Closes the connection of an HTTP/1 caller, because unsent bytes would otherwise wait there for a caller that
         * reads nothing.
         */
        private void cut() {
            writer.abort();
            Channel channel = context.log().partial().channel();
            if (channel != null && !context.sessionProtocol().isMultiplex()) {
                var unused = channel.close();
            }
        }

        private void lookLater() {
            var unused = loop.schedule(this::look, MILLIS_BETWEEN, TimeUnit.MILLISECONDS);
        }

        private void look() {
            if (!writer.isOpen()) {
                return;
            }
            String text = isTaken ? news() : ""; // a slow caller gets no more until it has read this
            quiet = text.isEmpty() ? quiet + 1 : 0;
            if (!isTaken && quiet >= patientLooks) {
                cut();
            } else if (isTaken && quiet >= QUIET_LOOKS) {
                send(":\n\n");
            } else if (!text.isEmpty()) {
                send(text);
            }
            lookLater();
        }

        private void send(String text) {
            quiet = 0;
            isTaken = false;
            if (writer.tryWrite(HttpData.ofUtf8(text))) {
                var unused = writer.whenConsumed().thenRunAsync(() -> isTaken = true, loop);
            }
        }

        private String news() {
            StringBuilder text = new StringBuilder();
            follower.next(MOST_AT_ONCE)
                    .forEach(line -> text.append("data: ").append(line).append("\n\n"));
            long dropped = follower.dropped();
            if (dropped > droppedReported) {
                text.append("event: dropped\ndata: {\"dropped\": ")
                        .append(dropped - droppedReported)
                        .append("}\n\n");
                droppedReported = dropped;
            }
            return text.toString();
        }
    }
}
