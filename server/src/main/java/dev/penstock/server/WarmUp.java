package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.admin.KeyParts;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.warmup.Http1Connection;
import dev.penstock.server.internal.warmup.Http2Connection;
import dev.penstock.server.internal.warmup.RequestLoop;
import dev.penstock.spi.PolicySet;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Exercises the full path of a request before the node is ready, until it is fast: HTTP/1.1, HTTP/2 and gRPC, matching,
 * the store, counting, and the response with its header fields.
 *
 * <p>It sends requests to a temporary port on the loopback address. That port has the services of the main port and
 * requires a random token. The requests use {@linkplain WarmUpPolicies limits of their own}, on the node's real
 * connections to the store. Everything that counts decisions is a copy that is discarded afterwards. The warm-up ends
 * when the 99th percentile of the last requests of each protocol reaches the target while the store is available, or
 * when its time is over. If another service of this process has warmed up before, only ten requests per protocol are
 * sent.
 */
final class WarmUp implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());

    /** The number of requests per protocol that must be fast. */
    private static final int LEAST = RequestLoop.KEPT;

    private static final int LEAST_IN_WARM_JVM = 10;
    private static final Duration PAUSE = Duration.ofMillis(2);
    static final AtomicBoolean IS_JVM_WARM = new AtomicBoolean();

    private final WarmUpSettings settings;
    private final Clients clients;
    private final Runnable whenDone;
    private final Thread thread = new Thread(this::run, "penstock-warm-up");
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * The parts of the service that the temporary port needs.
     *
     * @param matching the policies, with the overrides of operators
     */
    record Clients(DecisionRoutes routes, PolicyWatch policies, PolicySet matching, NodeEngine engine) {}

    private WarmUp(WarmUpSettings settings, Clients clients, Runnable whenDone) {
        this.settings = settings;
        this.clients = clients;
        this.whenDone = whenDone;
        thread.setDaemon(true);
    }

    /**
     * Starts the warm-up in a background thread.
     *
     * @param whenDone called once, also if the warm-up fails
     */
    static WarmUp start(WarmUpSettings settings, Clients clients, Runnable whenDone) {
        WarmUp begun = new WarmUp(settings, clients, whenDone);
        begun.thread.start();
        return begun;
    }

    /** Waits until the warm-up is over. */
    void await() throws InterruptedException {
        ended.await();
    }

    private void run() {
        try {
            if (settings.isOn()) {
                warmUp();
            }
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "the warm-up failed; the node is ready without it", e);
        } finally {
            whenDone.run();
            ended.countDown();
        }
    }

    private void warmUp() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        Secret token = new Secret(HexFormat.of().formatHex(random));
        PrometheusMeterRegistry unseen = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Observability observing =
                Observability.start(ObserveSettings.DEFAULT, new KeyParts(clients.policies(), null), unseen, null)) {
            Limiter.Builder limiter = Limiter.builder(new WarmUpPolicies(clients.matching()))
                    .engine(observing.around(new PeekingEngine(clients.engine().engine())));
            observing.listeners().forEach(limiter::listener);
            Limiter deciding = limiter.build();
            try (Port port = Port.open(
                    "warm_up",
                    new ListenAddress("127.0.0.1", 0),
                    new Port.Bounds(ClientSettings.DEFAULT, Duration.ZERO),
                    null,
                    paths -> clients.routes()
                            .addTo(
                                    paths,
                                    deciding,
                                    new BearerTokens(List.of(token), List.of()),
                                    observing::count,
                                    observing::watch))) {
                drive(port.number(), new WarmUpTraffic(token));
            }
        } finally {
            unseen.close();
        }
    }

    private void drive(int port, WarmUpTraffic traffic) {
        Clock clock = Clock.system();
        long begin = clock.micros();
        boolean isWarm = IS_JVM_WARM.get();
        try (RequestLoop http1 = RequestLoop.start("http1", new Http1Connection(port), traffic::overHttp1);
                RequestLoop http2 = RequestLoop.start("http2", new Http2Connection(port), traffic::overHttp2);
                RequestLoop grpc = RequestLoop.start("grpc", new Http2Connection(port), traffic::overGrpc)) {
            List<RequestLoop> loops = List.of(http1, http2, grpc);
            long[] timedBefore = new long[loops.size()];
            String end = null;
            while (end == null && !closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!isWarm && !clients.engine().isStoreUp()) { // requests do not reach the store now
                    Arrays.setAll(timedBefore, i -> loops.get(i).timed());
                }
                end = end(loops, timedBefore, isWarm, Duration.of(clock.micros() - begin, ChronoUnit.MICROS));
            }
            if (end != null) {
                logEnd(end, loops, Duration.of(clock.micros() - begin, ChronoUnit.MICROS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) { // caused by close
            Thread.currentThread().interrupt();
        }
    }

    /** Returns why the warm-up is over, or null if it is not. */
    private @Nullable String end(List<RequestLoop> loops, long[] timedBefore, boolean isWarm, Duration since) {
        for (RequestLoop loop : loops) {
            IOException failure = loop.failure();
            if (failure != null) {
                throw new UncheckedIOException(failure);
            }
        }
        if (since.compareTo(settings.atMost()) >= 0) {
            return "warm_up.at_most has passed";
        }
        int least = isWarm ? LEAST_IN_WARM_JVM : LEAST;
        for (int i = 0; i < timedBefore.length; i++) {
            if (loops.get(i).timed() - timedBefore[i] < least) {
                return null;
            }
        }
        if (isWarm) {
            return "another service in this process has already warmed up";
        }
        return slowest(loops).compareTo(settings.target()) <= 0 ? "warm_up.target is reached" : null;
    }

    private static Duration slowest(List<RequestLoop> loops) {
        return loops.stream()
                .map(RequestLoop::percentile99)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static void logEnd(String end, List<RequestLoop> loops, Duration since) {
        IS_JVM_WARM.set(true);
        LOG.log(
                Level.INFO,
                "warmed up in {0} ms with {1} requests: {2}; 99th percentile {3} µs",
                since.toMillis(),
                loops.stream().mapToLong(RequestLoop::sent).sum(),
                end,
                slowest(loops).toNanos() / 1_000);
    }

    /** Stops the warm-up if it still runs. */
    @Override
    public void close() {
        closing.countDown();
        boolean isInterrupted = false;
        while (true) {
            try {
                await();
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
