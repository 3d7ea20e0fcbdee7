package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.penstock.Limiter;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.server.internal.envoy.AnswerListener;
import dev.penstock.server.internal.fields.DecisionFields;
import dev.penstock.server.internal.http.CheckService;
import dev.penstock.server.internal.http.GateService;
import dev.penstock.server.internal.http.PermitsService;
import dev.penstock.server.internal.net.PortRoutes;
import dev.penstock.server.internal.override.OperatorOverrides;
import java.util.function.Consumer;

/**
 * Adds the services that decide requests to a port: {@code /v1/check}, {@code /v1/permits}, {@code /v1/gate} and
 * Envoy's.
 */
final class DecisionRoutes {
    private final ServerSettings settings;
    private final PolicyWatch policies;
    private final EnvoyService envoy;
    private final OperatorOverrides overrides;
    private final ListenableHealthChecker readiness;

    DecisionRoutes(
            ServerSettings settings,
            PolicyWatch policies,
            EnvoyService envoy,
            OperatorOverrides overrides,
            ListenableHealthChecker readiness) {
        this.settings = settings;
        this.policies = policies;
        this.envoy = envoy;
        this.overrides = overrides;
        this.readiness = readiness;
    }

    /**
     * Adds the services.
     *
     * @param limiter decides; its listeners see the decisions of all services but Envoy's
     * @param tokens the tokens that callers must present
     * @param listener counts the requests of Envoy's service
     * @param watchers see the decisions of Envoy's service
     */
    void addTo(
            PortRoutes routes,
            Limiter limiter,
            BearerTokens tokens,
            Consumer<RequestOutcome> listener,
            AnswerListener watchers) {
        DecisionFields fields = settings.headers().fields();
        PermitsService permits =
                new PermitsService(limiter, fields, settings.permits().longestHold());
        routes.add(HttpMethod.POST, "/v1/check", tokens.guarding(new CheckService(limiter, policies, fields)));
        routes.add(HttpMethod.POST, "/v1/permits", tokens.guarding(permits.reserve()));
        routes.add(HttpMethod.POST, "/v1/permits/{id}/settle", tokens.guarding(permits.settle()));
        routes.add(HttpMethod.POST, "/v1/permits/{id}/renew", tokens.guarding(permits.renew()));
        routes.add(HttpMethod.DELETE, "/v1/permits/{id}", tokens.guarding(permits.release()));
        routes.any(
                "/v1/gate",
                tokens.guardingGateways(
                        new GateService(limiter, fields, settings.address().client(), settings.gate())));
        envoy.route(routes, limiter, policies, overrides, tokens, readiness, listener, watchers);
    }
}
