package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import dev.penstock.server.internal.http.CrossSiteCheck;
import dev.penstock.server.internal.http.HealthService;
import dev.penstock.server.internal.metrics.MetricsService;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import dev.penstock.server.internal.net.PortRoutes;
import dev.penstock.server.internal.web.ConsolePages;
import java.util.List;

/** The routes of the admin port and of the metrics port. */
final class AdminRoutes {
    /** The maximum number of connections to the admin port and to the metrics port, each. */
    static final int CONNECTIONS = 200;

    private final AdminSettings settings;
    private final AdminTokens.WithoutTokens withoutTokens;
    private final AdminApi api;
    private final ServiceMetrics metrics;
    private final NodeState state;
    private final Readiness readiness;

    AdminRoutes(
            AdminSettings settings,
            AdminTokens.WithoutTokens withoutTokens,
            AdminApi api,
            ServiceMetrics metrics,
            NodeState state,
            Readiness readiness) {
        this.settings = settings;
        this.withoutTokens = withoutTokens;
        this.api = api;
        this.metrics = metrics;
        this.state = state;
        this.readiness = readiness;
    }

    /**
     * Adds the routes of the admin port. The health endpoints need no token, so that monitors can call them. The
     * console's files contain no data, and any page may link to them.
     */
    void ofAdmin(PortRoutes routes) {
        ConsolePages.addTo(routes);
        AdminTokens tokens = new AdminTokens(settings.tokens(), withoutTokens);
        CrossSiteCheck.HostCheck check =
                settings.tokens().isEmpty() ? CrossSiteCheck.HostCheck.EVERY_CALL : CrossSiteCheck.HostCheck.NONE;
        PortRoutes own = routes.within(CrossSiteCheck.only(check, List.of()));
        api.route(own, tokens);
        if (settings.metrics() == null) {
            own.add(HttpMethod.GET, "/metrics", tokens.reading(new MetricsService(metrics)));
        }
        health(own);
    }

    /** Adds the routes of the metrics port. */
    void ofMetrics(PortRoutes routes) {
        routes.add(HttpMethod.GET, "/metrics", new MetricsService(metrics));
    }

    /** Adds the health endpoints, which both the main port and the admin port have. */
    void health(PortRoutes routes) {
        routes.page("/health/live", HealthService.live());
        routes.page("/health/ready", new HealthService(readiness::reason, state::notes));
    }
}
