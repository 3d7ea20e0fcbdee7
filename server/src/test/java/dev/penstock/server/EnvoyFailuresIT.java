package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.penstock.Clock;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Limiter;
import dev.penstock.Settlement;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.policy.PolicyWatch;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.server.internal.net.Port;
import dev.penstock.server.internal.override.OperatorOverrides;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Envoy's service when something inside it fails: the caller is never blamed, and the answer is as good as possible.
 */
class EnvoyFailuresIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: model, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: tenant, rate_limit: { unit: year, requests_per_unit: 5 } }
            """;
    private static final String ANN =
            "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\", \"value\": \"ann\"}]}]}";

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Port port;

    /** Opens the routes of a service on a special engine. */
    private EnvoyClient serve(Engine engine, Runnable onCount) throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), "version: 1\n");
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        ServerSettings settings = TestService.settings(file)
                .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, false));
        EnvoyService envoy = opened(EnvoyService.start(settings));
        PolicyWatch policies = opened(PolicyWatch.of(file).start());
        Limiter limiter = opened(Limiter.builder(policies).engine(engine).build());
        port = opened(Port.open(
                "port",
                settings.at(),
                new Port.Bounds(settings.clients(), Duration.ofSeconds(1)),
                null,
                routes -> envoy.route(
                        routes,
                        limiter,
                        policies,
                        new OperatorOverrides(new LocalNotes(Clock.system()), Clock.system(), Scheduler.system()),
                        new BearerTokens(List.of(), List.of()),
                        new SettableHealthChecker(true),
                        counted -> onCount.run(),
                        (request, decision) -> {})));
        return opened(new EnvoyClient(port.number(), "edge"));
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

    private HttpResponse<String> json() throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.number() + "/json"))
                                .POST(HttpRequest.BodyPublishers.ofString(ANN))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private void expectUnavailable(EnvoyClient envoy) throws Exception {
        assertThatThrownBy(() -> envoy.ask(descriptor("user", "ann"))).satisfies(e -> {
            Status status = ((StatusRuntimeException) e).getStatus();
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(status.getDescription()).isEqualTo("the service failed");
        });
        HttpResponse<String> answer = json();
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("the service failed").doesNotContain("a bug of ours");
    }

    @Test
    void brokenEngine_isUnavailable() throws Exception {
        expectUnavailable(serve(
                new ForwardingEngine(MemoryEngine.create()) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        throw new AssertionError("a bug of ours");
                    }
                },
                () -> {}));
    }

    /** An internal error may have the same exception class as a bad request. */
    @Test
    void internalIllegalArgument_doesNotBlameTheCaller() throws Exception {
        expectUnavailable(serve(MemoryEngine.create(), () -> {
            throw new IllegalArgumentException("a bug of ours");
        }));
    }

    /** The failure mode, which is local, decides. Without a guard there is no share, so the request is denied. */
    @Test
    void engineThatRefusesItsArguments_isReplacedByTheFailureMode() throws Exception {
        EnvoyClient envoy = serve(
                new ForwardingEngine(MemoryEngine.create()) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        throw new IllegalArgumentException("a bug of ours");
                    }
                },
                () -> {});

        assertThat(envoy.ask(descriptor("user", "ann")).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "breaks", "fails later", "does not know"})
    void denialWhoseReturnFails_isADenial(String how) throws Exception {
        Supplier<Reply<Settlement>> settling = () -> switch (how) {
            case "throws" -> throw new IllegalStateException("no way back");
            case "breaks" -> throw new AssertionError("no way back");
            case "fails later" -> Reply.later(CompletableFuture.failedFuture(new IllegalStateException("no way back")));
            default -> Settlement.unknown();
        };
        EnvoyClient envoy = serve(
                new ForwardingEngine(MemoryEngine.create()) {
                    @Override
                    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
                        return actual == null ? inner.settle(permitId, null) : settling.get();
                    }
                },
                () -> {});
        RateLimitDescriptor[] all = {descriptor("model", "one"), descriptor("model", "two"), descriptor("tenant", "a")};

        assertThat(told(envoy.ask(all))).isEqualTo("OK 0, OK 0, OK 4");
        assertThat(envoy.ask(all).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }
}
