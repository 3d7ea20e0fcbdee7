package dev.penstock.server;

import com.linecorp.armeria.server.Route;
import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.observe.FleetTopKeys;
import dev.penstock.observe.StoreMeters;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.admin.HistoryService;
import dev.penstock.server.internal.admin.StatusService;
import dev.penstock.server.internal.admin.TopKeysService;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import dev.penstock.server.internal.net.BufferBudget;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.net.TlsCertificates;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.server.internal.web.WebPages;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Scheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running service: {@code PenstockServer.start(ServerSettings.of(policies))}.
 *
 * <p>Thread-safe. Closing drains first.
 */
public final class PenstockServer implements AutoCloseable {
    private final DrainSettings drain;
    private final Readiness readiness = new Readiness();
    private final CloseStack opened;
    private final @Nullable TlsCertificates tls;
    private final PolicyWatch policies;
    private final EnvoyService envoy;
    private final Observability observing;
    private final OperatorOverrides overrides;
    private final Limiter limiter;
    private final Port main;
    private final Port admin;
    private final @Nullable Port metricsPort;
    private final WarmUp warmUp;
    private boolean isClosed;

    private PenstockServer(ServerSettings settings, CloseStack opened) throws PolicyErrors {
        this.drain = settings.drain();
        this.opened = opened;
        TlsSettings files = settings.tls();
        this.tls = files == null ? null : opened.add(TlsCertificates.start(files, Clock.system()));
        ServiceMetrics metrics = opened.add(new ServiceMetrics(settings.observe()));
        this.policies = opened.add(PolicyWatch.of(settings.policies().toArray(Path[]::new))
                .listener(metrics)
                .start());
        metrics.inUse(policies.version());
        this.envoy = opened.add(EnvoyService.start(settings));
        StoreMeters store = settings.redis() == null ? null : new StoreMeters(metrics.registry());
        if (store != null) {
            store.mute(); // until the warm-up is over
        }
        this.observing = opened.add(Observability.start(settings.observe(), policies, metrics.registry(), store));
        NodeEngine engine = NodeEngine.of(settings, store);
        engine.checkReplicas(policies.policies().replicas());
        this.overrides = new OperatorOverrides(engine.notes("steering"), Clock.system(), Scheduler.system());
        Limiter.Builder deciding =
                Limiter.builder(overrides.overridden(policies)).engine(observing.around(engine.engine()));
        observing.listeners().forEach(deciding::listener);
        this.limiter = opened.add(deciding.build());
        opened.add(overrides.start());
        NodeState state = new NodeState(engine, policies, envoy.rules(), tls);
        state.bindTo(metrics.registry());
        NodeStatus status = new NodeStatus(
                engine, policies, state, readiness, settings.observe().region(), Clock.system());
        Fleet fleet = engine.engine().fleet();
        StatusService told = new StatusService(status::write, status::introduction, fleet);
        HistoryService history = new HistoryService(observing.history(), status::name, Clock.system());
        TopKeysService topKeys = new TopKeysService(
                observing.topKeys(), fleet == null ? null : opened.add(fleetTalkers(engine)), policies);
        AdminApi api = opened.add(new AdminApi(
                settings.admin(), limiter, policies, envoy.rules(), overrides, topKeys, history, observing, told));
        AdminTokens.WithoutTokens withoutTokens =
                settings.redis() == null ? AdminTokens.WithoutTokens.READ_AND_CHANGE : AdminTokens.WithoutTokens.READ;
        AdminRoutes routes = new AdminRoutes(settings.admin(), withoutTokens, api, metrics, state, readiness);
        BufferBudget buffers = BufferBudget.of(settings.clients().bufferBytes());
        metrics.buffers(buffers::bytes, buffers.mostBytes());
        Port.Bounds bounds = new Port.Bounds(settings.clients(), buffers, drain.atMost());
        Port.Bounds few = bounds.withConnections(AdminRoutes.CONNECTIONS);
        TlsCertificates adminTls = files != null && files.ports() == TlsSettings.Ports.MAIN_AND_ADMIN ? tls : null;
        this.admin = opened.add(Port.open("admin.port", settings.admin().at(), few, adminTls, routes::ofAdmin));
        ListenAddress apart = settings.admin().metrics();
        this.metricsPort =
                apart == null ? null : opened.add(Port.open("metrics.port", apart, few, null, routes::ofMetrics));
        DecisionRoutes deciders = new DecisionRoutes(settings, policies, envoy, overrides, readiness.checker());
        BearerTokens tokens = new BearerTokens(settings.tokens(), settings.hosts());
        this.main = opened.add(Port.open("port", settings.at(), bounds, tls, paths -> {
            deciders.addTo(paths, limiter, tokens, observing::count, observing::watch);
            WebPages.addTo(paths);
            routes.health(paths);
        }));
        AutoCloseable unused = opened.add(api::endStreams);
        opened("admin", admin, state, metrics);
        opened("main", main, state, metrics);
        if (metricsPort != null) {
            opened("metrics", metricsPort, state, metrics);
        }
        status.opened(NodeName.of(main.number()));
        if (fleet != null) {
            fleet.announce(status::introduction);
        }
        this.warmUp = opened.add(WarmUp.start(
                settings.warmUp(),
                new WarmUp.Clients(deciders, policies, overrides.overridden(policies), engine),
                () -> ready(store)));
    }

    /** @param store begins to count now; null if there is none */
    private void ready(@Nullable StoreMeters store) {
        if (store != null) {
            store.unmute();
        }
        readiness.warmedUp();
    }

    private FleetTopKeys fleetTalkers(NodeEngine engine) {
        String node = UUID.randomUUID().toString();
        return new FleetTopKeys(observing.topKeys(), engine.notes("talkers"), node, Scheduler.system()).start();
    }

    private static void opened(String name, Port port, NodeState state, ServiceMetrics metrics) {
        state.opened(name, port);
        metrics.connections(name, port::connections);
    }

    /**
     * Begins what every service needs and nobody waits for yet, in a thread of its own: classes that are loaded while settings and
     * policies are read. A service starts sooner by half a second where this is called first; it may be called or not.
     */
    public static void warmUp() {
        Thread thread = new Thread(Port::warmUp, "penstock-starting");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts a service and waits until it is {@linkplain #awaitReady ready}.
     *
     * @throws PolicyErrors where the policies cannot be used as they are
     * @throws IllegalArgumentException where something else cannot, by the name of its setting
     */
    public static PenstockServer start(ServerSettings settings) throws PolicyErrors {
        PenstockServer server = open(settings);
        try {
            server.awaitReady();
        } catch (InterruptedException e) { // it serves already; only the caller does not wait any longer
            Thread.currentThread().interrupt();
        }
        return server;
    }

    /**
     * Loads the policies, connects to the store, and listens. The service then warms up in the background: it answers requests,
     * but {@code /health/ready} is 503 until that is over.
     *
     * @throws PolicyErrors where the policies cannot be used as they are
     * @throws IllegalArgumentException where something else cannot, by the name of its setting
     */
    public static PenstockServer open(ServerSettings settings) throws PolicyErrors {
        CloseStack opened = new CloseStack();
        try {
            return new PenstockServer(settings, opened);
        } catch (PolicyErrors | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    /** Waits until the warm-up is over. */
    public void awaitReady() throws InterruptedException {
        warmUp.await();
    }

    /** What is served on the main port. */
    List<Route> routes() {
        return main.routes();
    }

    /** What is served on the admin port. */
    List<Route> adminRoutes() {
        return admin.routes();
    }

    /** The main port; the one that was free where 0 was asked for. */
    public int port() {
        return main.number();
    }

    /** The admin port, in the same way. */
    public int adminPort() {
        return admin.number();
    }

    /** The port on which the metrics are: the admin port, unless they have one of their own. */
    public int metricsPort() {
        return metricsPort == null ? admin.number() : metricsPort.number();
    }

    /** Where the policies in use come from, and how they stand. */
    public PolicyWatch policies() {
        return policies;
    }

    public Limiter limiter() {
        return limiter;
    }

    OperatorOverrides overrides() {
        return overrides;
    }

    /** Reads all files again that may change while it runs: policies, rules for Envoy, and the certificate of TLS. */
    public void reload() {
        policies.reload();
        envoy.reload();
        if (tls != null) {
            tls.reload();
        }
    }

    /** Says that no more requests are to be sent here; those that come are served still. */
    public void drain() {
        readiness.drain();
    }

    /** Drains, goes on for as long as it was told to, lets requests under way finish, and ends. */
    @Override
    public synchronized void close() {
        drain();
        if (!isClosed) {
            isClosed = true;
            waitForOthersToNotice();
            opened.close();
        }
    }

    private void waitForOthersToNotice() {
        try {
            boolean unused = new CountDownLatch(1).await(drain.delay().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) { // then at once
            Thread.currentThread().interrupt();
        }
    }
}
