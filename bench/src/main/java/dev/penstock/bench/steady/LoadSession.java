package dev.penstock.bench.steady;

import dev.penstock.bench.server.Wire;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * One load from its first connection to its last answer. Runs on the event loop. Other threads can wait for
 * {@link #begun()} and {@link #ended()}.
 */
final class LoadSession implements LoadConnection.Listener {
    private static final long LEAST_WAIT_NANOS = 200_000;
    private static final long RECONNECT_MILLIS = 20;

    /** How long to wait for the last answers. */
    private static final long PATIENCE_SECONDS = 10;

    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final RequestTemplate template;
    private final LoadPlan plan;
    private final IntSupplier users;
    private final List<Link> links;
    private final int linksWanted;
    private final LoadSamples samples = new LoadSamples();
    private final Queue<Integer> waiting = new ArrayDeque<>();
    private final CompletableFuture<Long> begun = new CompletableFuture<>();
    private final CompletableFuture<LoadSamples> ended = new CompletableFuture<>();

    private long startNanos;
    private double nextDueSeconds;
    private int next;
    private int opened;
    private int underway;
    private boolean isSendingDone;

    /** The connections to one node. */
    private static final class Link {
        private final LoadNode node;
        private final List<LoadConnection> connections = new ArrayList<>();
        private int next;
        private int connecting;

        Link(LoadNode node) {
            this.node = node;
        }
    }

    LoadSession(EventLoop loop, Bootstrap bootstrap, RequestTemplate template, LoadPlan plan, List<LoadNode> nodes) {
        this(loop, bootstrap, template, plan, nodes, randomUsers());
    }

    /**
     * Creates a load.
     *
     * @param users returns the user of the next request
     */
    LoadSession(
            EventLoop loop,
            Bootstrap bootstrap,
            RequestTemplate template,
            LoadPlan plan,
            List<LoadNode> nodes,
            IntSupplier users) {
        this.loop = loop;
        this.bootstrap = bootstrap;
        this.template = template;
        this.plan = plan;
        this.users = users;
        this.links = nodes.stream().map(Link::new).toList();
        this.linksWanted = plan.connections(template.wire());
    }

    private static IntSupplier randomUsers() {
        SplittableRandom random = new SplittableRandom(18);
        return () -> random.nextInt(Wire.USERS);
    }

    /** Completes with the time at which the first request was due, by {@code System.nanoTime()}. */
    CompletableFuture<Long> begun() {
        return begun;
    }

    CompletableFuture<LoadSamples> ended() {
        return ended;
    }

    void start() {
        loop.execute(() -> links.forEach(this::connectMissing));
    }

    private void connectMissing(Link link) {
        while (link.connections.size() + link.connecting < linksWanted) {
            link.connecting++;
            LoadConnection connection = template.wire() == Wire.HTTP1
                    ? new Http1LoadConnection(template, this)
                    : new Http2LoadConnection(template, this);
            var unused = bootstrap
                    .clone()
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(connection);
                        }
                    })
                    .connect(InetAddress.getLoopbackAddress(), link.node.port())
                    .addListener(done -> {
                        link.connecting--;
                        if (done.isSuccess()) {
                            link.connections.add(connection);
                        } else {
                            reconnectSoon(link);
                        }
                    });
        }
    }

    private void reconnectSoon(Link link) {
        if (!ended.isDone()) {
            var unused = loop.schedule(
                    () -> {
                        if (link.node.isReady()) {
                            connectMissing(link);
                        } else {
                            reconnectSoon(link);
                        }
                    },
                    RECONNECT_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void opened(LoadConnection connection) {
        opened++;
        if (opened == linksWanted * links.size() && !begun.isDone()) {
            // Runs after the listener of this connection has recorded it.
            loop.execute(this::begin);
        } else if (begun.isDone()) {
            loop.execute(this::sendWaiting);
        }
    }

    private void begin() {
        startNanos = System.nanoTime();
        begun.complete(startNanos);
        if (plan instanceof LoadPlan.Closed closed) {
            for (int i = 0; i < Math.min(closed.callers(), closed.atMost()); i++) {
                submit(samples.add(nowMicros()));
            }
            flush();
            var unused = loop.schedule(this::sendingDone, (long) (closed.seconds() * 1e9), TimeUnit.NANOSECONDS);
        } else {
            tick();
        }
    }

    private long nowMicros() {
        return (System.nanoTime() - startNanos) / 1_000;
    }

    /** Stops sending, regardless of the plan. Answers in flight are still awaited. */
    void stop() {
        loop.execute(this::sendingDone);
    }

    /** Sends everything that is due, and schedules itself for the next request. */
    private void tick() {
        if (isSendingDone) {
            return;
        }
        RateShape shape = ((LoadPlan.Open) plan).shape();
        double now = (System.nanoTime() - startNanos) / 1e9;
        double end = shape.seconds();
        while (nextDueSeconds <= now && nextDueSeconds < end) {
            long dueMicros = (long) (nextDueSeconds * 1e6);
            samples.sentLate(nowMicros() - dueMicros);
            submit(samples.add(dueMicros));
            nextDueSeconds += 1 / shape.perSecondAt(nextDueSeconds);
        }
        flush();
        if (nextDueSeconds >= end) {
            sendingDone();
            return;
        }
        long waitNanos = (long) ((nextDueSeconds - now) * 1e9);
        var unused = loop.schedule(this::tick, Math.max(LEAST_WAIT_NANOS, waitNanos), TimeUnit.NANOSECONDS);
    }

    private void sendingDone() {
        if (!isSendingDone) {
            isSendingDone = true;
            endIfAnswered();
            var unused = loop.schedule(this::end, PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void submit(int request) {
        underway++;
        if (!waiting.isEmpty() || !trySend(request)) {
            waiting.add(request);
        }
    }

    private boolean trySend(int request) {
        for (int i = 0; i < links.size(); i++) {
            Link link = links.get(next++ % links.size());
            if (!link.node.isReady()) {
                continue;
            }
            int count = link.connections.size();
            for (int j = 0; j < count; j++) {
                LoadConnection connection = link.connections.get(link.next++ % count);
                if (connection.isFree()) {
                    connection.send(request, users.getAsInt());
                    samples.sent(request);
                    return true;
                }
            }
        }
        return false;
    }

    private void sendWaiting() {
        while (!waiting.isEmpty() && trySend(waiting.element())) {
            waiting.remove();
        }
        flush();
    }

    private void flush() {
        for (Link link : links) {
            for (LoadConnection connection : link.connections) {
                connection.flush();
            }
        }
    }

    @Override
    public void answered(int request, AnswerKind kind) {
        if (ended.isDone()) {
            return;
        }
        samples.answered(request, nowMicros(), kind);
        underway--;
        if (plan instanceof LoadPlan.Closed closed && !isSendingDone) {
            if (samples.size() < closed.atMost()) {
                submit(samples.add(nowMicros()));
            } else if (underway == 0) {
                sendingDone();
            }
        }
        endIfAnswered();
    }

    @Override
    public void refused(int request) {
        samples.resent();
        waiting.add(request);
    }

    @Override
    public void closed(LoadConnection connection) {
        for (Link link : links) {
            if (link.connections.remove(connection)) {
                reconnectSoon(link);
            }
        }
    }

    @Override
    public void readComplete() {
        sendWaiting();
    }

    private void endIfAnswered() {
        if (isSendingDone && underway == 0) {
            end();
        }
    }

    private void end() {
        if (ended.complete(samples)) {
            loop.execute(
                    () -> links.forEach(link -> List.copyOf(link.connections).forEach(LoadConnection::close)));
        }
    }

    /** Returns a source of a single user. */
    static IntSupplier only(int user) {
        return () -> user;
    }

    static List<LoadNode> nodes(int... ports) {
        return IntStream.of(ports).mapToObj(LoadNode::new).toList();
    }
}
