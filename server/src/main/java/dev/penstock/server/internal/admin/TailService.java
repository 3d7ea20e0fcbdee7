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
 * {@code GET /admin/decisions}: decisions as they are made, as server-sent events, until the caller goes or the service ends. What
 * a slow caller cannot take is left out, and how much that was is told in an event {@code dropped}.
 */
public final class TailService implements AggregatedService, AutoCloseable {
    private static final int MILLIS_BETWEEN = 100;
    private static final int MOST_AT_ONCE = 200;

    /** So many looks without a decision, and a comment is sent: a connection that is silent may be taken for dead. */
    private static final int QUIET_LOOKS = 100;

    /** So many looks, and a caller who took nothing makes room for others. */
    private static final int PATIENT_LOOKS = 600;

    private final Tail tail;
    private final int patientLooks;
    private final Set<Sending> streams = ConcurrentHashMap.newKeySet();
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
        } catch (IllegalArgumentException e) { // too many look on
            return Answers.problem(
                    Problem.ofRequest(HttpStatus.SERVICE_UNAVAILABLE.code(), String.valueOf(e.getMessage()), null),
                    List.of());
        }
        context.clearRequestTimeout();
        Sending sending = new Sending(context, follower);
        streams.add(sending);
        sending.begin();
        if (isEnding) {
            sending.end();
        }
        return sending.writer;
    }

    /** Ends all streams, so that nobody waits for them. */
    @Override
    public void close() {
        isEnding = true;
        streams.forEach(Sending::end);
    }

    /** Sends to one caller, on its event loop. */
    private final class Sending {
        private final HttpResponseWriter writer = HttpResponse.streaming();
        private final ServiceRequestContext context;
        private final EventLoop loop;
        private final Follower follower;
        private boolean isTaken = true;
        private long droppedTold;
        private int quiet;

        Sending(ServiceRequestContext context, Follower follower) {
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

        /** Nobody waits for a caller who has not taken what he was sent last. */
        void end() {
            loop.execute(() -> {
                if (isTaken) {
                    writer.close();
                } else {
                    cut();
                }
            });
        }

        /** What is on its way to a caller who reads nothing ends with the connection alone, where there is one for each call. */
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
            String text = isTaken ? news() : ""; // a slow caller is not sent more than he reads
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
            if (dropped > droppedTold) {
                text.append("event: dropped\ndata: {\"dropped\": ")
                        .append(dropped - droppedTold)
                        .append("}\n\n");
                droppedTold = dropped;
            }
            return text.toString();
        }
    }
}
