package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.healthcheck.HealthChecker;
import dev.penstock.server.internal.http.HealthService;
import dev.penstock.server.internal.http.OwnPages;
import dev.penstock.server.internal.metrics.MetricsService;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import dev.penstock.server.internal.web.ConsolePages;

/** What those who run the service find on the admin port, and on the one of the metrics. */
final class AdminRoutes {
    /** The bounds of a port that only few use. */
    static final int CONNECTIONS = 200;

    private final AdminSettings settings;
    private final AdminApi api;
    private final ServiceMetrics metrics;
    private final NodeState state;
    private final HealthChecker readiness;

    AdminRoutes(
            AdminSettings settings, AdminApi api, ServiceMetrics metrics, NodeState state, HealthChecker readiness) {
        this.settings = settings;
        this.api = api;
        this.metrics = metrics;
        this.state = state;
        this.readiness = readiness;
    }

    /**
     * The admin port's. Health is told to everybody, so that who watches needs no token; the console's own files hold nothing,
     * and may be opened by a link from anywhere.
     */
    void ofAdmin(ServerBuilder builder) {
        ConsolePages.addTo(builder);
        AdminTokens tokens = new AdminTokens(settings.tokens());
        api.route(builder, tokens);
        if (settings.metrics() == null) {
            builder.service(route("/metrics", HttpMethod.GET), tokens.reading(new MetricsService(metrics)));
        }
        health(builder);
        DecoratingHttpServiceFunction ownPages = OwnPages.only(settings.tokens().isEmpty());
        builder.decoratorUnder("/admin", ownPages);
        builder.decorator("/metrics", ownPages);
        builder.decoratorUnder("/health", ownPages);
    }

    /** Those of the port of the metrics. */
    void ofMetrics(ServerBuilder builder) {
        builder.service(route("/metrics", HttpMethod.GET), new MetricsService(metrics));
    }

    /** On the main port and on the admin port. */
    void health(ServerBuilder builder) {
        builder.service(route("/health/live", HttpMethod.GET, HttpMethod.HEAD), HealthService.live());
        builder.service(
                route("/health/ready", HttpMethod.GET, HttpMethod.HEAD), new HealthService(readiness, state::notes));
    }

    private static Route route(String path, HttpMethod... methods) {
        return Route.builder().methods(methods).path(path).build();
    }
}
