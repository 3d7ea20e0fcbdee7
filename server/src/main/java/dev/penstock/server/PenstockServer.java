package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.healthcheck.HealthCheckService;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.penstock.Limiter;
import dev.penstock.internal.Expect;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.http.CheckService;
import dev.penstock.server.internal.http.GateService;
import dev.penstock.server.internal.http.PermitsService;
import dev.penstock.server.internal.http.ProblemErrors;
import dev.penstock.server.internal.web.WebPages;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A running service: {@code PenstockServer.start(ServerSettings.of(policies))}.
 *
 * <p>Thread-safe. Closing drains first.
 */
public final class PenstockServer implements AutoCloseable {
    private static final int LARGEST_BODY = 1 << 20;
    private static final int LARGEST_HEADERS = 16 << 10;
    private static final int MOST_CONNECTIONS = 20_000;
    private static final int MOST_STREAMS = 1_000;
    private static final Duration SLOWEST_REQUEST = Duration.ofSeconds(10);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final Duration DRAIN_QUIET = Duration.ofMillis(200);
    private static final Duration DRAIN_AT_MOST = Duration.ofSeconds(10);

    private final PolicyWatch policies;
    private final EnvoyService envoy;
    private final Limiter limiter;
    private final SettableHealthChecker readiness = new SettableHealthChecker(true);
    private final Server server;

    private PenstockServer(ServerSettings settings) throws PolicyErrors {
        this.policies = PolicyWatch.of(settings.policies().toArray(Path[]::new)).start();
        try {
            this.envoy = EnvoyService.start(settings);
            this.limiter =
                    Limiter.builder(policies).engine(NodeEngine.of(settings)).build();
            this.server = build(settings);
        } catch (PolicyErrors | RuntimeException e) {
            policies.close();
            throw e;
        }
    }

    /**
     * Loads the policies, connects to the store, and listens.
     *
     * @throws PolicyErrors where the policies cannot be used as they are
     */
    public static PenstockServer start(ServerSettings settings) throws PolicyErrors {
        // Better no service than one in clear where TLS was asked for.
        Expect.that(settings.tls() == null, "tls", "given", "none; this version does not serve TLS yet");
        PenstockServer service = new PenstockServer(settings);
        try {
            service.server.start().join();
            return service;
        } catch (RuntimeException e) {
            service.close();
            throw e;
        }
    }

    private Server build(ServerSettings settings) {
        Listening at = settings.at();
        ServerBuilder builder = Server.builder()
                .http(new InetSocketAddress(at.host(), at.port()))
                .maxRequestLength(LARGEST_BODY)
                .requestTimeout(SLOWEST_REQUEST)
                .idleTimeout(IDLE)
                .maxNumConnections(MOST_CONNECTIONS)
                .http1MaxHeaderSize(LARGEST_HEADERS)
                .http2MaxHeaderListSize(LARGEST_HEADERS)
                .http2MaxStreamsPerConnection(MOST_STREAMS)
                .gracefulShutdownTimeout(DRAIN_QUIET, DRAIN_AT_MOST)
                .errorHandler(new ProblemErrors())
                .disableServerHeader();
        route(builder, settings);
        return builder.build();
    }

    private void route(ServerBuilder builder, ServerSettings settings) {
        DecisionFields fields = settings.headers().fields();
        PermitsService permits = new PermitsService(limiter, fields);
        BearerTokens tokens = new BearerTokens(settings.tokens());
        add(builder, tokens, HttpMethod.POST, "/v1/check", new CheckService(limiter, fields));
        add(builder, tokens, HttpMethod.POST, "/v1/permits", permits.reserve());
        add(builder, tokens, HttpMethod.POST, "/v1/permits/{id}/settle", permits.settle());
        add(builder, tokens, HttpMethod.POST, "/v1/permits/{id}/renew", permits.renew());
        add(builder, tokens, HttpMethod.DELETE, "/v1/permits/{id}", permits.release());
        builder.service(
                "/v1/gate",
                tokens.guarding(
                        new GateService(limiter, fields, settings.address().client(), settings.gate())));
        envoy.route(builder, limiter, policies, tokens, readiness);
        look(builder, "/health/live", (context, request) -> HttpResponse.of(HttpStatus.OK));
        look(builder, "/health/ready", HealthCheckService.of(readiness));
        WebPages.addTo(builder);
    }

    private static void add(
            ServerBuilder builder, BearerTokens tokens, HttpMethod method, String path, HttpService service) {
        builder.service(Route.builder().methods(method).path(path).build(), tokens.guarding(service));
    }

    private static void look(ServerBuilder builder, String path, HttpService service) {
        Route route = Route.builder()
                .methods(HttpMethod.GET, HttpMethod.HEAD)
                .path(path)
                .build();
        builder.service(route, service);
    }

    /** What is served on the main port. */
    List<Route> routes() {
        return server.serviceConfigs().stream().map(ServiceConfig::route).toList();
    }

    /** The main port; the one that was free where 0 was asked for. */
    public int port() {
        return server.activeLocalPort();
    }

    /** Where the policies in use come from, and how they stand. */
    public PolicyWatch policies() {
        return policies;
    }

    /** Looks now whether policies or rules have changed. */
    public void reload() {
        policies.reload();
        envoy.reload();
    }

    public Limiter limiter() {
        return limiter;
    }

    /** Says that no more requests are to be sent here; those that come are served still. */
    public void drain() {
        readiness.setHealthy(false);
    }

    /** Drains, lets requests under way finish, and ends. */
    @Override
    public void close() {
        drain();
        server.stop().join();
        policies.close();
        envoy.close();
        limiter.close();
    }
}
