package dev.penstock.server;

import com.linecorp.armeria.server.Route;
import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.observe.FleetTopKeys;
import dev.penstock.observe.StoreMeters;
import dev.penstock.policy.Candidates;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.admin.CandidatesService;
import dev.penstock.server.internal.admin.HistoryService;
import dev.penstock.server.internal.admin.KeyParts;
import dev.penstock.server.internal.admin.MissingAttributesService;
import dev.penstock.server.internal.admin.StatusService;
import dev.penstock.server.internal.admin.TopKeysService;
import dev.penstock.server.internal.metrics.CandidateMeters;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import dev.penstock.server.internal.net.BufferBudget;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.net.TlsCertificates;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.server.internal.web.StartPageService;
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
        CandidateMeters comparing = new CandidateMeters(metrics.registry(), Clock.system());
        this.policies = opened.add(PolicyWatch.of(settings.policies().toArray(Path[]::new))
                .listener(metrics)
                .listener(comparing)
                .start());
        metrics.inUse(policies.version());
        this.envoy = opened.add(EnvoyService.start(settings));
        KeyParts parts = new KeyParts(policies, envoy.rules());
        StoreMeters store = settings.redis() == null ? null : new StoreMeters(metrics.registry());
        if (store != null) {
            store.mute(); // until the warm-up is over
        }
        this.observing = opened.add(Observability.start(settings.observe(), parts, metrics.registry(), store));
        NodeEngine engine = NodeEngine.of(settings, store);
        engine.checkReplicas(policies.policies().replicas());
        this.overrides = new OperatorOverrides(engine.notes("steering"), Clock.system(), Scheduler.system());
        Limiter.Builder deciding =
                Limiter.builder(overrides.overridden(policies)).engine(observing.around(engine.engine()));
        observing.listeners().forEach(deciding::listener);
        Candidates candidates = comparing.start(policies, engine.engine());
        deciding.listener(candidates);
        this.limiter = opened.add(deciding.build());
        opened.add(overrides.start());
        NodeState state = new NodeState(engine, policies, envoy.rules(), tls);
        state.bindTo(metrics.registry());
        NodeStatus status = new NodeStatus(
                engine, policies, state, readiness, settings.observe().region(), Clock.system());
        Fleet fleet = engine.engine().fleet();
        StatusService statuses = new StatusService(status::write, status::introduction, fleet);
        HistoryService history = new HistoryService(observing.history(), status::name, Clock.system());
        TopKeysService topKeys =
                new TopKeysService(observing.topKeys(), fleet == null ? null : opened.add(fleetTalkers(engine)), parts);
        CandidatesService comparisons = new CandidatesService(policies, candidates, status::name);
        MissingAttributesService missing = new MissingAttributesService(observing::missing, status::name);
        AdminApi api = opened.add(new AdminApi(
                settings.admin(),
                limiter,
                policies,
                envoy.rules(),
                overrides,
                topKeys,
                history,
                comparisons,
                missing,
                observing,
                statuses));
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
        StartPageService start =
                new StartPageService(policies, console(settings.admin().at(), admin, adminTls));
        DecisionRoutes deciders = new DecisionRoutes(settings, policies, envoy, overrides, readiness.checker());
        BearerTokens tokens = new BearerTokens(settings.tokens(), settings.hosts());
        this.main = opened.add(Port.open("port", settings.at(), bounds, tls, paths -> {
            deciders.addTo(paths, limiter, tokens, observing::count, observing.ofEnvoy(candidates));
            WebPages.addTo(paths, tokens.guarding(start));
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

    /** @param store starts counting now; null on a node without a store */
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

    private static StartPageService.Console console(ListenAddress at, Port admin, @Nullable TlsCertificates tls) {
        return new StartPageService.Console(at.host(), admin.number(), at.isLoopback(), tls != null);
    }

    private static void opened(String name, Port port, NodeState state, ServiceMetrics metrics) {
        state.opened(name, port);
        metrics.connections(name, port::connections);
    }

    /**
     * Loads classes that every service needs, in a background thread, while the caller reads settings and policies.
     * Optional: calling this first makes the start half a second faster.
     */
    public static void warmUp() {
        Thread thread = new Thread(Port::warmUp, "penstock-starting");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts a service and waits until it is {@linkplain #awaitReady ready}.
     *
     * @throws PolicyErrors if the policies have errors
     * @throws IllegalArgumentException if another setting cannot be used; the message has its name
     */
    public static PenstockServer start(ServerSettings settings) throws PolicyErrors {
        PenstockServer server = open(settings);
        try {
            server.awaitReady();
        } catch (InterruptedException e) { // it serves already; only the wait ends
            Thread.currentThread().interrupt();
        }
        return server;
    }

    /**
     * Loads the policies, connects to the store and opens the ports. The service then warms up in the background: it
     * answers requests, but {@code /health/ready} returns 503 until the warm-up is over.
     *
     * @throws PolicyErrors if the policies have errors
     * @throws IllegalArgumentException if another setting cannot be used; the message has its name
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

    /** Returns the routes of the main port. */
    List<Route> routes() {
        return main.routes();
    }

    /** Returns the routes of the admin port. */
    List<Route> adminRoutes() {
        return admin.routes();
    }

    /** Returns the number of the main port. If the setting is 0, this is the free port that was chosen. */
    public int port() {
        return main.number();
    }

    /** Returns the number of the admin port. If the setting is 0, this is the free port that was chosen. */
    public int adminPort() {
        return admin.number();
    }

    /** Returns the port that serves the metrics: the admin port, unless they have a port of their own. */
    public int metricsPort() {
        return metricsPort == null ? admin.number() : metricsPort.number();
    }

    /** Returns the watch of the policy files, with the policies in use and the last failure. */
    public PolicyWatch policies() {
        return policies;
    }

    public Limiter limiter() {
        return limiter;
    }

    OperatorOverrides overrides() {
        return overrides;
    }

    /** Reads all files again that may change at runtime: policies, rules for Envoy, and the TLS certificate. */
    public void reload() {
        policies.reload();
        envoy.reload();
        if (tls != null) {
            tls.reload();
        }
    }

    /** Reports the service as not ready, so that clients stop sending requests. Those that still arrive are served. */
    public void drain() {
        readiness.drain();
    }

    /**
     * Drains: reports the service as not ready, waits for the drain delay, lets requests in progress finish, and stops.
     */
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
        } catch (InterruptedException e) { // then without the rest of the delay
            Thread.currentThread().interrupt();
        }
    }
}
