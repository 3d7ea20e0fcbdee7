package dev.penstock.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRulesWatch;
import dev.penstock.server.internal.envoy.AnswerListener;
import dev.penstock.server.internal.envoy.CallFailure;
import dev.penstock.server.internal.envoy.HeadersToAdd;
import dev.penstock.server.internal.envoy.MetadataToAdd;
import dev.penstock.server.internal.envoy.OverriddenSelection;
import dev.penstock.server.internal.envoy.PolicySelection;
import dev.penstock.server.internal.envoy.RateLimitCalls;
import dev.penstock.server.internal.envoy.RateLimitDecider;
import dev.penstock.server.internal.envoy.RateLimitDecider.DeniedHits;
import dev.penstock.server.internal.envoy.RateLimitJson;
import dev.penstock.server.internal.envoy.ResponseWriter;
import dev.penstock.server.internal.envoy.RuleSelection;
import dev.penstock.server.internal.envoy.Selection;
import dev.penstock.server.internal.net.PortRoutes;
import dev.penstock.server.internal.override.OperatorOverrides;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds Envoy's rate limit service with its health checks and endpoints, and keeps the rules that it may use. */
final class EnvoyService implements AutoCloseable {
    /** The name under which health checks ask for this service, as in envoyproxy/ratelimit. */
    private static final String HEALTH_NAME = "ratelimit";

    private final ServerSettings settings;

    private final @Nullable EnvoyRulesWatch rules;

    private EnvoyService(ServerSettings settings, @Nullable EnvoyRulesWatch rules) {
        this.settings = settings;
        this.rules = rules;
    }

    /**
     * Loads the rules, if any are configured.
     *
     * @throws PolicyErrors if the rules have errors
     */
    static EnvoyService start(ServerSettings settings) throws PolicyErrors {
        EnvoySettings envoy = settings.envoy();
        return new EnvoyService(
                settings, envoy.rules().isEmpty() ? null : EnvoyRulesWatch.start(envoy.rules(), envoy.sameDomain()));
    }

    void route(
            PortRoutes routes,
            Limiter limiter,
            PolicyWatch policies,
            OperatorOverrides overrides,
            BearerTokens tokens,
            ListenableHealthChecker readiness,
            Consumer<RequestOutcome> listener,
            AnswerListener watchers) {
        RateLimitDecider limiting = limiting(limiter, policies, overrides, listener, watchers);
        GrpcService calls = grpc().addService(new RateLimitCalls(limiting))
                .addService(ProtoReflectionServiceV1.newInstance())
                .build();
        routes.calls(calls, tokens::guardingCalls);
        // Probes have no tokens.
        routes.calls(
                grpc().addService(GrpcHealthCheckService.builder()
                                .checkers(readiness)
                                .serviceCheckers(HEALTH_NAME, readiness)
                                .build())
                        .build(),
                UnaryOperator.identity());
        routes.add(
                HttpMethod.POST,
                "/json",
                tokens.guarding(new RateLimitJson(limiting, settings.headers().fields())));
        routes.page(
                "/healthcheck",
                (context, request) -> readiness.isHealthy()
                        ? HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, "OK")
                        : HttpResponse.of(HttpStatus.INTERNAL_SERVER_ERROR));
    }

    /**
     * Accepts binary messages only. JSON messages would add a quarter of a second to the start, and no client needs
     * them.
     */
    private static GrpcServiceBuilder grpc() {
        return GrpcService.builder()
                .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
                .exceptionHandler((context, status, cause, metadata) -> CallFailure.status(context, status, cause));
    }

    private RateLimitDecider limiting(
            Limiter limiter,
            PolicyWatch policies,
            OperatorOverrides overrides,
            Consumer<RequestOutcome> listener,
            AnswerListener watchers) {
        EnvoySettings envoy = settings.envoy();
        Selection selection = new OverriddenSelection(
                rules == null ? new PolicySelection(policies::policies) : new RuleSelection(rules::rules), overrides);
        HeadersToAdd headers = switch (envoy.headers()) {
            case OFF -> HeadersToAdd.none();
            case NUMBERS -> HeadersToAdd.numbers();
            case FIELDS -> HeadersToAdd.fields(settings.headers().fields());
        };
        Clock clock = Clock.system();
        ResponseWriter writer =
                new ResponseWriter(headers, envoy.metadata() ? MetadataToAdd.reasons() : MetadataToAdd.none(), clock);
        DeniedHits deniedHits = envoy.countDenied() ? DeniedHits.COUNTED : DeniedHits.FREE;
        return new RateLimitDecider(
                limiter, selection, writer, deniedHits, settings.deadline(), clock, listener, watchers);
    }

    /** Returns the rules that decide, or null if the policies do. */
    @Nullable
    EnvoyRulesWatch rules() {
        return rules;
    }

    /** Checks the rules' files for changes now. */
    void reload() {
        if (rules != null) {
            rules.reload();
        }
    }

    @Override
    public void close() {
        if (rules != null) {
            rules.close();
        }
    }
}
