package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.limit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edge cases of Envoy's service: bad requests, JSON, health, reflection, tokens. */
class EnvoyEdgesIT {
    private static final String TOKEN = "a-token-of-many-letters";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private PenstockServer server;
    private EnvoyClient envoy;

    @BeforeEach
    void start() throws Exception {
        Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: users, match: { domain: edge }, limits: [ { key: [user], fixed_window: 1/d } ] }
                """);
        start(List.of());
    }

    private void start(List<Secret> tokens) throws Exception {
        stop();
        server = PenstockServer.start(
                TestService.settings(directory.resolve("policies.yaml")).withTokens(tokens));
        envoy = new EnvoyClient(server.port(), "edge");
    }

    @AfterEach
    void stop() {
        if (server != null) {
            envoy.close();
            server.close();
        }
    }

    private static Status.Code codeOf(Throwable failure) {
        return ((StatusRuntimeException) failure).getStatus().getCode();
    }

    static Stream<Arguments> badRequests() {
        RateLimitDescriptor fine = descriptor("user", "ann");
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(4, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        RateLimitRequest good = RateLimitRequest.newBuilder()
                .setDomain("edge")
                .addDescriptors(fine)
                .build();
        return Stream.of(
                Arguments.of(good.toBuilder().setDomain("").build(), "domain: empty (expected: a name)"),
                Arguments.of(
                        good.toBuilder().setDomain("d".repeat(256)).build(),
                        "domain: 256 characters (expected: at most 255)"),
                Arguments.of(good.toBuilder().clearDescriptors().build(), "descriptors: none (expected: at least one)"),
                Arguments.of(
                        good.toBuilder()
                                .addAllDescriptors(Collections.nCopies(256, fine))
                                .build(),
                        "descriptors: 257 (expected: at most 256)"),
                Arguments.of(
                        good.toBuilder()
                                .setDescriptors(
                                        0, fine.toBuilder().addAllEntries(Collections.nCopies(64, fine.getEntries(0))))
                                .build(),
                        "descriptors[0].entries: 65 (expected: at most 64)"),
                Arguments.of(
                        good.toBuilder().addDescriptors(descriptor()).build(),
                        "descriptors[1].entries: none (expected: at least one)"),
                Arguments.of(
                        good.toBuilder()
                                .setDescriptors(0, descriptor("user", "ann", "", "x"))
                                .build(),
                        "descriptors[0].entries[1].key: empty (expected: a name)"),
                Arguments.of(
                        good.toBuilder()
                                .setDescriptors(0, fine.toBuilder().setUnknownFields(newer))
                                .build(),
                        "descriptors[0]: fields [4] (expected: fields 1 to 3)"),
                Arguments.of(
                        good.toBuilder()
                                .setDescriptors(0, limit(fine, 1, RateLimitUnit.UNKNOWN))
                                .build(),
                        "descriptors[0].limit.unit: 0 (expected: SECOND to YEAR, 1 to 6)"),
                Arguments.of(
                        good.toBuilder()
                                .setDescriptors(0, fine.toBuilder().setHitsAddend(UInt64Value.of(-1)))
                                .build(),
                        "descriptors[0].hits_addend: 18446744073709551615 (expected: 0 to 4503599627370496)"));
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void badRequest_namesTheField_andChargesNothing(RateLimitRequest request, String problem) {
        assertThatThrownBy(() -> envoy.ask(request))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .hasMessageContaining(problem);
        assertThat(envoy.passes("user", "ann")).isTrue();
    }

    /** Sends bytes that are not a message. */
    @Test
    void malformedMessage_isNotUnknown_andOthersAreServed() {
        MethodDescriptor.Marshaller<byte[]> bytes = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                return new byte[0];
            }
        };
        MethodDescriptor<byte[], byte[]> method = MethodDescriptor.<byte[], byte[]>newBuilder(bytes, bytes)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(
                        RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName())
                .build();

        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(
                        envoy.channel(), method, CallOptions.DEFAULT, new byte[] {(byte) 0xff, 0x01, 0x7f}))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.INVALID_ARGUMENT));
        assertThat(envoy.passes("user", "ann")).isTrue();
    }

    @Test
    void expiredDeadline_isReported() {
        assertThatThrownBy(() -> envoy.stub()
                        .withDeadlineAfter(1, TimeUnit.NANOSECONDS)
                        .shouldRateLimit(envoy.request(descriptor("user", "ann"))))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
        RateLimitResponse inTime = envoy.stub()
                .withDeadlineAfter(30, TimeUnit.SECONDS)
                .shouldRateLimit(envoy.request(descriptor("user", "ann")));
        assertThat(inTime.getOverallCode()).isEqualTo(Code.OK);
    }

    private HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).POST(HttpRequest.BodyPublishers.ofString(body));
        return http.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static final String ANN =
            "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\", \"value\": \"ann\"}]}]}";

    @Test
    void json_answers200_then429_withTheSameResponse() throws Exception {
        HttpResponse<String> first = post("/json", ANN);
        HttpResponse<String> second = post("/json", ANN);

        assertThat(first.statusCode()).isEqualTo(200);
        JsonNode told = JSON.readTree(first.body());
        assertThat(told.get("overallCode").asText()).isEqualTo("OK");
        assertThat(told.get("statuses").get(0).get("currentLimit").get("unit").asText())
                .isEqualTo("DAY");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(JSON.readTree(second.body()).get("overallCode").asText()).isEqualTo("OVER_LIMIT");
        assertThat(first.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(get("/json").statusCode()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {             | | not JSON at line 1, column 2
            {"foo": 1}    | foo | foo: unknown field (expected: domain, descriptors, hits_addend)
            {}            | domain | domain: empty (expected: a name)
            {"domain": "edge"} | descriptors | descriptors: none (expected: at least one)
            {"domain": "edge", "descriptors": [{}]} | descriptors[0].entries | descriptors[0].entries: none (expected: at least one)
            """)
    void badJson_is400_andNamesTheField(String body, String field, String problem) throws Exception {
        HttpResponse<String> response = post("/json", body);

        assertThat(response.statusCode()).isEqualTo(400);
        JsonNode told = JSON.readTree(response.body());
        assertThat(told.get("detail").asText()).isEqualTo(problem);
        assertThat(told.path("field").asText(null)).isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"domain\": \"edge\", \"hits_addend\": null, \"descriptors\": [{\"limit\": {\"requests_per_unit\": \"1\","
                        + " \"unit\": \"YEAR\"}, \"hits_addend\": \"1\", \"entries\": [{\"key\": \"a\"}]}]}",
                "{\"domain\": \"edge\", \"hitsAddend\": 5, \"descriptors\": [{\"limit\": {\"requestsPerUnit\": 1.0,"
                        + " \"unit\": 6}, \"hitsAddend\": 1e0, \"entries\": [{\"key\": \"a\", \"value\": \"\"}]}]}"
            })
    void json_isProtobufsMapping(String body) throws Exception {
        assertThat(post("/json", body).statusCode()).isEqualTo(200);
        assertThat(post("/json", body).statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "", "5", "5s", "-5S", "1.5S", "123456789S", "S"})
    void malformedTimeout_isReported(String timeout) {
        assertThatThrownBy(
                        () -> with("grpc-timeout", timeout).shouldRateLimit(envoy.request(descriptor("user", "ann"))))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .hasMessageEndingWith("grpc-timeout: malformed (expected: 1 to 8 digits, and one of H, M, S, m, u, n)");
        assertThat(envoy.passes("user", "ann")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"99999999H", "30S", "30000m"})
    void validTimeout_isAccepted(String timeout) {
        assertThat(with("grpc-timeout", timeout)
                        .shouldRateLimit(envoy.request(descriptor("user", "ann")))
                        .getOverallCode())
                .isEqualTo(Code.OK);
    }

    @Test
    void deeplyNestedJson_is400() throws Exception {
        String deep = "{\"descriptors\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        assertThat(post("/json", deep).statusCode()).isEqualTo(400);
        assertThat(envoy.passes("user", "ann")).isTrue();
    }

    @Test
    void health_isGood_untilDraining() throws Exception {
        assertThat(get("/healthcheck").statusCode()).isEqualTo(200);
        assertThat(get("/healthcheck").body()).isEqualTo("OK");
        assertThat(health("")).isEqualTo(ServingStatus.SERVING);
        assertThat(health("ratelimit")).isEqualTo(ServingStatus.SERVING);
        assertThatThrownBy(() -> health("other"))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.NOT_FOUND));

        server.drain();

        assertThat(get("/healthcheck").statusCode()).isEqualTo(500);
        assertThat(health("")).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(health("ratelimit")).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(envoy.passes("user", "ann")).as("requests that still arrive").isTrue();
    }

    private ServingStatus health(String service) {
        return HealthGrpc.newBlockingStub(envoy.channel())
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void reflection_listsTheServicesAndTheirMessages() throws Exception {
        ServerReflectionResponse services =
                reflect(ServerReflectionRequest.newBuilder().setListServices("").build());
        ServerReflectionResponse file = reflect(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol("envoy.service.ratelimit.v3.RateLimitService")
                .build());

        assertThat(services.getListServicesResponse().getServiceList())
                .extracting(ServiceResponse::getName)
                .contains("envoy.service.ratelimit.v3.RateLimitService", "grpc.health.v1.Health");
        assertThat(file.getFileDescriptorResponse().getFileDescriptorProtoCount())
                .isPositive();
    }

    private ServerReflectionResponse reflect(ServerReflectionRequest request) throws Exception {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> requests = ServerReflectionGrpc.newStub(envoy.channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse value) {
                        answer.complete(value);
                    }

                    @Override
                    public void onError(Throwable t) {
                        answer.completeExceptionally(t);
                    }

                    @Override
                    public void onCompleted() {}
                });
        requests.onNext(request);
        requests.onCompleted();
        return answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void tokens_guardCallsAndJson_butNotHealth() throws Exception {
        start(List.of(new Secret(TOKEN)));
        RateLimitRequest request = envoy.request(descriptor("user", "ann"));

        assertThatThrownBy(() -> envoy.ask(request))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.UNAUTHENTICATED));
        assertThatThrownBy(() ->
                        with("authorization", "Bearer another-token-of-16").shouldRateLimit(request))
                .satisfies(e -> assertThat(codeOf(e)).isEqualTo(Status.Code.UNAUTHENTICATED));
        assertThatThrownBy(() -> reflect(
                        ServerReflectionRequest.newBuilder().setListServices("").build()))
                .hasRootCauseInstanceOf(StatusRuntimeException.class);
        assertThat(with("authorization", "Bearer " + TOKEN)
                        .shouldRateLimit(request)
                        .getOverallCode())
                .isEqualTo(Code.OK);
        assertThat(post("/json", ANN).statusCode()).isEqualTo(401);
        assertThat(post("/json", ANN, "authorization", "Bearer " + TOKEN).statusCode())
                .isEqualTo(429);
        assertThat(health("ratelimit")).isEqualTo(ServingStatus.SERVING);
        assertThat(get("/healthcheck").statusCode()).isEqualTo(200);
    }

    private RateLimitServiceGrpc.RateLimitServiceBlockingStub with(String name, String value) {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        return envoy.stub().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }
}
