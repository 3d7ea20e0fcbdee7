package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.Route;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.healthcheck.HealthChecker;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.http.HealthService;
import dev.penstock.server.internal.http.OwnPages;
import dev.penstock.server.internal.http.PoliciesService;
import dev.penstock.server.internal.metrics.MetricsService;
import dev.penstock.server.internal.metrics.ServiceMetrics;
import java.util.List;

/** What those who run the service find on the admin port, and on the one of the metrics. */
final class AdminRoutes {
    /** The bounds of a port that only few use. */
    static final int CONNECTIONS = 200;

    private final AdminSettings settings;
    private final PolicyWatch policies;
    private final ServiceMetrics metrics;
    private final NodeState state;
    private final HealthChecker readiness;

    AdminRoutes(
            AdminSettings settings,
            PolicyWatch policies,
            ServiceMetrics metrics,
            NodeState state,
            HealthChecker readiness) {
        this.settings = settings;
        this.policies = policies;
        this.metrics = metrics;
        this.state = state;
        this.readiness = readiness;
    }

    /** The admin port's. Health is told to everybody, so that who watches needs no token. */
    void ofAdmin(ServerBuilder builder) {
        Secret token = settings.token();
        BearerTokens tokens = new BearerTokens(token == null ? List.of() : List.of(token));
        PoliciesService service = new PoliciesService(policies);
        builder.service(route(HttpMethod.GET, "/admin/policies"), tokens.guarding(service.state()));
        builder.service(route(HttpMethod.POST, "/admin/policies/reload"), tokens.guarding(service.reload()));
        if (settings.metrics() == null) {
            builder.service(route(HttpMethod.GET, "/metrics"), tokens.guarding(new MetricsService(metrics)));
        }
        health(builder);
        builder.decorator(OwnPages.only(token == null));
    }

    /** Those of the port of the metrics. */
    void ofMetrics(ServerBuilder builder) {
        builder.service(route(HttpMethod.GET, "/metrics"), new MetricsService(metrics));
    }

    /** On the main port and on the admin port. */
    void health(ServerBuilder builder) {
        builder.service("/health/live", HealthService.live());
        builder.service("/health/ready", new HealthService(readiness, state::notes));
    }

    private static Route route(HttpMethod method, String path) {
        return Route.builder().methods(method).path(path).build();
    }
}
