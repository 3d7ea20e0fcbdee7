package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import dev.penstock.server.internal.http.CrossSiteCheck;
import dev.penstock.server.internal.http.HealthService;
import dev.penstock.server.internal.metrics.MetricsService;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import dev.penstock.server.internal.net.PortRoutes;
import dev.penstock.server.internal.web.ConsolePages;
import java.util.List;

/** What those who run the service find on the admin port, and on the one of the metrics. */
final class AdminRoutes {
    /** The bounds of a port that only few use. */
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
     * The admin port's. Health is told to everybody, so that who watches needs no token; the console's own files hold nothing,
     * and may be opened by a link from anywhere.
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

    /** Those of the port of the metrics. */
    void ofMetrics(PortRoutes routes) {
        routes.add(HttpMethod.GET, "/metrics", new MetricsService(metrics));
    }

    /** On the main port and on the admin port. */
    void health(PortRoutes routes) {
        routes.page("/health/live", HealthService.live());
        routes.page("/health/ready", new HealthService(readiness::reason, state::notes));
    }
}
