package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limiter;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.RequestOutcome;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with more requests than it can handle says so, and does not report anyone as over a limit. */
class OverloadIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: banned, rate_limit: { unit: year, requests_per_unit: 0 } }
            """;
    private static final String REQUEST = "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"ann\"}}";
    private static final String ENVOY_REQUEST =
            "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\", \"value\": \"ann\"}]}]}";

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<RequestOutcome> counted = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Decision> watched = new ConcurrentLinkedQueue<>();
    private Port port;

    private static Denied overloaded(Ask ask) {
        return Denied.overloaded(ask, 0, Duration.ofMillis(1_500));
    }

    /** Opens the routes of a service whose engine gives these answers. */
    private ServiceClient serve(Function<Ask, Reply<Decision>> engine, UnaryOperator<ServerSettings> change)
            throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), TestService.POLICIES);
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        ServerSettings settings = change.apply(TestService.settings(file)
                .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, false)));
        EnvoyService envoy = opened(EnvoyService.start(settings));
        PolicyWatch policies = opened(PolicyWatch.of(file).start());
        Limiter limiter = opened(Limiter.builder(policies)
                .engine(new ForwardingEngine(MemoryEngine.create()) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        return engine.apply(ask);
                    }
                })
                .build());
        DecisionRoutes routes = new DecisionRoutes(
                settings,
                policies,
                envoy,
                new OperatorOverrides(new LocalNotes(Clock.system()), Clock.system(), Scheduler.system()),
                new SettableHealthChecker(true));
        port = opened(Port.open(
                "port",
                settings.at(),
                new Port.Bounds(settings.clients(), Duration.ofSeconds(1)),
                null,
                paths -> routes.addTo(
                        paths,
                        limiter,
                        new BearerTokens(List.of(), List.of()),
                        counted::add,
                        (request, decision) -> watched.add(decision))));
        return new ServiceClient(port.number());
    }

    private ServiceClient serve() throws Exception {
        return serve(OverloadIT::overloaded, settings -> settings);
    }

    private <T extends AutoCloseable> T opened(T each) {
        open.push(each);
        return each;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private static void expectOverloaded(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).contains("2");
        assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
        JsonNode problem = json(answer);
        assertThat(problem.get("type").asText()).endsWith("#temporary-reduced-capacity");
        assertThat(problem.get("reason").asText()).isEqualTo("overloaded");
        assertThat(problem.get("detail").asText()).contains("No limit was exceeded");
    }

    @Test
    void singleRequest_isUnavailable() throws Exception {
        ServiceClient client = serve();

        expectOverloaded(client.post("/v1/check", REQUEST));
        expectOverloaded(client.post("/v1/check", REQUEST, "Idempotency-Key", "one"));
        expectOverloaded(client.post("/v1/check", REQUEST.replace("{\"attributes", "{\"peek\": true, \"attributes")));
        expectOverloaded(client.post("/v1/permits", REQUEST));
        expectOverloaded(client.post("/json", ENVOY_REQUEST));
    }

    /** The engine may also answer later, as the guard does. */
    @Test
    void laterAnswer_isUnavailable() throws Exception {
        ServiceClient client =
                serve(ask -> Reply.later(CompletableFuture.supplyAsync(() -> overloaded(ask))), settings -> settings);

        expectOverloaded(client.post("/v1/check", REQUEST));
        expectOverloaded(client.post("/json", ENVOY_REQUEST));
    }

    @Test
    void gate_isUnavailable_regardlessOfTheDeniedStatus() throws Exception {
        ServiceClient client = serve(
                OverloadIT::overloaded,
                settings -> settings.withGate(new GateSettings(
                                GateSettings.DeniedStatus.ALWAYS_403,
                                GateSettings.RequestHeaders.X_FORWARDED,
                                GateSettings.DEFAULT.attributes(),
                                GateSettings.DEFAULT.longestDelay()))
                        .withHeaders(
                                new HeaderSettings(false, false, HeaderSettings.Reset.EPOCH, false, Duration.ZERO)));

        expectOverloaded(client.send(client.to("/v1/gate").header("x-forwarded-uri", "/api/x")));
    }

    @Test
    void list_reportsEachRequest() throws Exception {
        HttpResponse<String> answer = serve().post("/v1/check", "[" + REQUEST + "," + REQUEST + "]");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer)).hasSize(2).allSatisfy(decision -> {
            assertThat(decision.get("allowed").asBoolean()).isFalse();
            assertThat(decision.get("reason").asText()).isEqualTo("overloaded");
            assertThat(decision.get("decided_by").asText()).isEqualTo("node");
            assertThat(decision.get("retry_after_ms").asLong()).isEqualTo(1_500);
        });
    }

    private static void expectUnavailable(EnvoyClient envoy) {
        assertThatThrownBy(() -> envoy.ask(descriptor("user", "ann"))).satisfies(e -> {
            Status status = ((StatusRuntimeException) e).getStatus();
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(status.getDescription()).startsWith("overloaded: ");
        });
    }

    @Test
    void envoy_getsUnavailable_andIsCountedOnce() throws Exception {
        ServiceClient unused = serve();

        expectUnavailable(opened(new EnvoyClient(port.number(), "edge")));
        assertThat(counted).singleElement().satisfies(tally -> {
            assertThat(tally.by()).isEqualTo(DecidedBy.NODE);
            assertThat(tally.policies()).isEmpty();
        });
        assertThat(watched)
                .singleElement()
                .satisfies(decision -> assertThat(((Denied) decision).reason()).isEqualTo(Denied.Reason.OVERLOADED));
    }

    /** Each charge is in shadow mode in this mode, so an engine may allow the whole ask. */
    @Test
    void envoyWithCountDenied_getsUnavailable() throws Exception {
        ServiceClient unused = serve(
                OverloadIT::overloaded,
                settings -> settings.withEnvoy(
                        new EnvoySettings(settings.envoy().rules(), SameDomain.REFUSED, true, Headers.OFF, false)));

        expectUnavailable(opened(new EnvoyClient(port.number(), "edge")));
    }

    @Test
    void denialWithoutCounting_isStillADenial() throws Exception {
        ServiceClient unused = serve();
        EnvoyClient envoy = opened(new EnvoyClient(port.number(), "edge"));

        assertThat(envoy.ask(descriptor("banned", "x"), descriptor("user", "ann"))
                        .getOverallCode())
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(counted)
                .singleElement()
                .satisfies(tally -> assertThat(tally.by()).isEqualTo(DecidedBy.POLICY));
    }
}
