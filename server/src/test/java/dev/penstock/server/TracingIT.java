package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.penstock.server.internal.net.TestServers;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans as a collector gets them, over real sockets. */
class TracingIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    @TempDir
    private Path directory;

    private final List<byte[]> received = new CopyOnWriteArrayList<>();
    private Server collector;
    private PenstockServer service;

    @BeforeEach
    void start() throws Exception {
        collector = TestServers.builder()
                .http(0)
                .service(
                        "/v1/traces",
                        (context, request) ->
                                HttpResponse.of(request.aggregate().thenApply(whole -> {
                                    received.add(whole.content().array());
                                    return HttpResponse.of(HttpStatus.OK);
                                })))
                .build();
        collector.start().join();
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: users, limits: [ { key: [user], token_bucket: 1/d } ] }
                """);
        URI address = URI.create("http://127.0.0.1:" + collector.activeLocalPort());
        service = PenstockServer.start(
                TestService.settings(policies).withObserve(ObserveSettings.DEFAULT.withTraces(address)));
    }

    @AfterEach
    void stop() {
        service.close();
        collector.stop().join();
    }

    private void check(String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + service.port() + "/v1/check"))
                .POST(HttpRequest.BodyPublishers.ofString("{\"attributes\":{\"user\":\"ann\"}}"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        assertThat(HttpClient.newHttpClient()
                        .send(request.build(), BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    /** Returns everything that was received, as hexadecimal digits. Tests look for bytes in it. */
    private String told() {
        service.close();
        List<String> all = new ArrayList<>();
        received.forEach(bytes -> all.add(HexFormat.of().formatHex(bytes)));
        return String.join("", all);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void http_spanIsAChildOfTheCallers() throws Exception {
        check("traceparent", PARENT);

        assertThat(told())
                .contains(TRACE)
                .contains(SPAN)
                .contains(hex("penstock decide"))
                .contains(hex("penstock.outcome"))
                .contains(hex("allowed"))
                .doesNotContain(hex("ann"));
    }

    @Test
    void grpc_spanIsAChildOfTheCallers() {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), PARENT);
        try (EnvoyClient envoy = new EnvoyClient(service.port(), "edge")) {
            envoy.stub()
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .shouldRateLimit(envoy.request(EnvoyClient.descriptor("user", "bob")));
        }

        assertThat(told()).contains(TRACE).contains(SPAN).contains(hex("penstock decide"));
    }

    @Test
    void requestWithoutATrace_hasNoSpan() throws Exception {
        check();
        check("traceparent", "nonsense");
        check("traceparent", "00-" + TRACE + "-" + SPAN + "-00");

        assertThat(told()).isEmpty();
    }

    @Test
    void unreachableCollector_delaysNothing() throws Exception {
        collector.stop().join();
        for (int i = 0; i < 100; i++) {
            check("traceparent", PARENT);
        }
    }
}
