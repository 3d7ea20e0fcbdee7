package dev.penstock.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.WarmUpSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A service on free ports of this machine, with a console to test and HTTP calls to make decisions. */
final class ConsoleService implements AutoCloseable {
    static final String POLICIES = """
            version: 1
            deny:
              - { name: scanners, match: { ip: 203.0.113.0/24 } }
            policies:
              - name: api
                match: { route: /api/** }
                limits:
                  - { key: user, token_bucket: 5/h }
                  - { key: user, sliding_window: 1000/d }
              - name: login          # password guessing
                match: { route: /login }
                limits:
                  - { key: ip, sliding_log: 3/10min }
              - name: stricter
                mode: shadow
                match: { route: /api/** }
                limits:
                  - { key: user, token_bucket: 2/h }
            """;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);

    private final Path file;
    private final ServerSettings settings;
    private final PenstockServer server;
    private final int adminPort;

    private ConsoleService(Path file, ServerSettings settings) throws Exception {
        this.file = file;
        this.settings = settings;
        this.server = PenstockServer.start(settings);
        this.adminPort = server.adminPort();
    }

    static ConsoleService start(Path directory) throws Exception {
        return start(directory, POLICIES, settings -> settings);
    }

    static ConsoleService start(Path directory, String policies, UnaryOperator<ServerSettings> change)
            throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), policies);
        ServerSettings settings = ServerSettings.of(file)
                .withAt(ANY)
                .withAdmin(new AdminSettings(ANY).withAudit(directory.resolve("audit.jsonl")))
                .withWarmUp(WarmUpSettings.OFF)
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO));
        return new ConsoleService(file, change.apply(settings));
    }

    /** Starts another service on the same admin port, after this one is closed. */
    ConsoleService again() throws Exception {
        AdminSettings same = settings.admin();
        ListenAddress there = new ListenAddress("127.0.0.1", adminPort);
        return new ConsoleService(
                file, settings.withAdmin(new AdminSettings(there, same.tokens(), same.audit(), same.metrics())));
    }

    PenstockServer server() {
        return server;
    }

    String address() {
        return "http://127.0.0.1:" + adminPort;
    }

    /** Returns the address of a section of the console: {@code now}, {@code who}, and so on. */
    String console(String part) {
        return address() + "/console#" + part;
    }

    void write(String policies) throws IOException {
        Files.writeString(file, policies);
    }

    /** Makes this number of real decisions. */
    void decide(int times, Map<String, String> attributes) throws Exception {
        String body = JSON.writeValueAsString(Map.of("attributes", attributes));
        for (int i = 0; i < times; i++) {
            JsonNode answer = post("http://127.0.0.1:" + server.port() + "/v1/check", body);
            if (!answer.has("allowed")) {
                throw new IllegalStateException(answer.toString());
            }
        }
    }

    /** Returns the answer of the admin port to a call that needs no token. */
    JsonNode admin(String path, Object body) throws Exception {
        return post(address() + path, JSON.writeValueAsString(body));
    }

    private static JsonNode post(String address, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return JSON.readTree(
                CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    @Override
    public void close() {
        server.close();
    }
}
