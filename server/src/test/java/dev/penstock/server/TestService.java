package dev.penstock.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A service on free ports of the loopback address, and a client for it. */
final class TestService implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);

    /**
     * The audit file of tests that do not read it. There is one per JVM, because several JVMs run tests at the same
     * time.
     */
    private static final Path AUDIT =
            Path.of("target", "audit-" + ProcessHandle.current().pid() + ".jsonl");

    static final Secret ADMIN_TOKEN = new Secret("the-token-of-tests");

    static final String POLICIES = """
            version: 1
            deny: [ { name: bad, match: { ip: 203.0.113.0/24 } } ]
            policies:
              - name: api
                match: { route: /api/** }
                limits: [ { key: [user], token_bucket: 3/h } ]
              - name: watched
                mode: shadow
                match: { route: /api/** }
                limits: [ { key: [user], token_bucket: 1/h } ]
            """;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path file;
    private final PenstockServer server;

    private TestService(Path file, PenstockServer server) {
        this.file = file;
        this.server = server;
    }

    static TestService start(Path directory) throws Exception {
        return start(directory, settings -> settings);
    }

    static TestService start(Path directory, UnaryOperator<ServerSettings> change) throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        return new TestService(file, PenstockServer.start(change.apply(settings(file))));
    }

    /** Returns settings of a service without warm-up and drain, which most tests do not need. */
    static ServerSettings settings(Path policies) {
        return ServerSettings.of(policies)
                .withAt(ANY)
                .withAdmin(new AdminSettings(ANY).withAudit(AUDIT))
                .withWarmUp(WarmUpSettings.OFF)
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO));
    }

    /** Uses a shared store, if there is one. Changes on the admin port then need {@link #ADMIN_TOKEN}. */
    static ServerSettings on(@Nullable String redis, ServerSettings settings) {
        return redis == null
                ? settings
                : settings.withRedis(new RedisUri(redis))
                        .withAdmin(settings.admin().withToken(ADMIN_TOKEN));
    }

    PenstockServer server() {
        return server;
    }

    int port() {
        return server.port();
    }

    /** Writes other policies, which are not reloaded yet. */
    void write(String policies) throws IOException {
        Files.writeString(file, policies);
    }

    static HttpRequest.Builder to(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), new AnswerText());
    }

    HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return send(to(port, path));
    }

    HttpResponse<String> post(int port, String path, String body) throws IOException, InterruptedException {
        return send(to(port, path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Returns the decision for a request on {@code /api/x}. */
    boolean check(String user) throws IOException, InterruptedException {
        return json(post(port(), "/v1/check", body(user))).get("allowed").asBoolean();
    }

    static String body(String user) {
        return "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"" + user + "\"}}";
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return JSON.readTree(response.body());
    }

    @Override
    public void close() {
        server.close();
    }
}
