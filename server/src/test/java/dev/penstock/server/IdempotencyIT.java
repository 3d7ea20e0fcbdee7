package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that are repeated with their {@code Idempotency-Key}, to one node in memory and to two on one Redis. */
class IdempotencyIT {
    /** The store that counts the limits. */
    enum Store {
        MEMORY,
        REDIS
    }

    private static final String KEY = "Idempotency-Key";
    private static final int REQUESTS = 100;

    @TempDir
    private Path directory;

    private Path file;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void policies() throws Exception {
        file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                allow: [ { name: friends, match: { ip: 192.0.2.7 } } ]
                policies:
                  - name: api
                    match: { route: /api }
                    limits: [ { key: [user], token_bucket: 3/h } ]
                  - name: jobs
                    match: { route: /jobs }
                    limits: [ { key: [user], concurrency: 2, ttl: 1m } ]
                  - name: local-limit
                    match: { route: /first }
                    limits:
                      - { key: [user], local: true, fixed_window: 1/d }
                      - { id: daily, key: [user], fixed_window: 100/d }
                """);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    /** Returns two clients: of two nodes if there is a shared store, otherwise of one node. */
    private List<ServiceClient> clients(Store store, Secret... tokens) throws Exception {
        ServerSettings settings = TestService.settings(file).withTokens(List.of(tokens));
        if (store == Store.MEMORY) {
            ServiceClient client = new ServiceClient(open(PenstockServer.start(settings)));
            return List.of(client, client);
        }
        ServerSettings shared = settings.withRedis(
                        new RedisUri(open(RedisServer.start()).uri()))
                .withDeadline(Duration.ofSeconds(5));
        List<ServiceClient> nodes = List.of(
                new ServiceClient(open(PenstockServer.start(shared))),
                new ServiceClient(open(PenstockServer.start(shared))));
        for (ServiceClient node : nodes) { // nodes start before they are connected to Redis
            await().atMost(Duration.ofMinutes(1)).until(() -> isDecidedByTheStore(node, 20, tokens));
        }
        return nodes;
    }

    private static boolean isDecidedByTheStore(ServiceClient node, int times, Secret... tokens) throws Exception {
        String peek = request("/api", "nobody").replaceFirst("\\{", "{\"peek\": true, ");
        String[] token =
                tokens.length == 0 ? new String[0] : new String[] {"Authorization", "Bearer " + tokens[0].text()};
        for (int i = 0; i < times; i++) {
            if (!node.post("/v1/check", peek, token).body().contains("\"decided_by\":\"store\"")) {
                return false;
            }
        }
        return true;
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    private static String request(String route, String user) {
        return "{\"attributes\": {\"route\": \"" + route + "\", \"user\": \"" + user + "\"}}";
    }

    private static int remaining(ServiceClient client, String route, String user) throws Exception {
        String peek = request(route, user).replaceFirst("\\{", "{\"peek\": true, ");
        return json(client.post("/v1/check", peek))
                .get("limits")
                .get(0)
                .get("remaining")
                .asInt();
    }

    private static void assertIsOfAnotherCall(HttpResponse<String> response) throws Exception {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(json(response).get("status").asInt()).isEqualTo(422);
        assertThat(json(response).get("field").asText()).isEqualTo(KEY);
    }

    @ParameterizedTest
    @EnumSource
    void check_repeated_getsTheSameBytes_andIsChargedOnce(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String first = nodes.get(0)
                .post("/v1/check", request("/api", "ann"), KEY, "k1")
                .body();

        for (ServiceClient node : nodes) {
            assertThat(node.post("/v1/check", request("/api", "ann"), KEY, "\"k1\"")
                            .body())
                    .isEqualTo(first);
        }
        assertThat(first).contains("\"allowed\":true");
        assertThat(remaining(nodes.get(1), "/api", "ann")).isEqualTo(2);
        nodes.get(1).post("/v1/check", request("/api", "ann"), KEY, "k2");
        assertThat(remaining(nodes.get(0), "/api", "ann")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void check_manyConcurrentWithOneKey_chargeOnce(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        ExecutorService threads = Executors.newFixedThreadPool(REQUESTS);
        try {
            List<Callable<String>> calls = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                ServiceClient node = nodes.get(i % 2);
                calls.add(() -> node.post("/v1/check", request("/api", "ann"), KEY, "k1")
                        .body());
            }
            Set<String> answers = new HashSet<>();
            for (Future<String> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            assertThat(answers).hasSize(1).first().asString().contains("\"allowed\":true");
        } finally {
            threads.shutdownNow();
        }
        assertThat(remaining(nodes.get(0), "/api", "ann")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void check_withAnotherBody_isRefusedAndChargesNothing(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        nodes.get(0).post("/v1/check", request("/api", "ann"), KEY, "k1");

        for (ServiceClient node : nodes) {
            assertIsOfAnotherCall(node.post("/v1/check", request("/api", "bob"), KEY, "k1"));
            assertIsOfAnotherCall(node.post("/v1/check", request("/api", "ann") + " ", KEY, "k1"));
            assertIsOfAnotherCall(node.post("/v1/permits", request("/api", "ann"), KEY, "k1"));
            assertIsOfAnotherCall(node.post(
                    "/v1/check", "[" + request("/api", "bob") + "," + request("/api", "bob") + "]", KEY, "k1"));
        }
        assertThat(remaining(nodes.get(1), "/api", "ann")).isEqualTo(2);
        assertThat(remaining(nodes.get(1), "/api", "bob")).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void check_denied_isDecidedAgainAndLeavesTheKeyFree(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String dear = request("/api", "ann").replaceFirst("\\{", "{\"costs\": {\"requests\": 3}, ");
        nodes.get(0).post("/v1/check", request("/api", "ann"));
        assertThat(json(nodes.get(0).post("/v1/check", dear, KEY, "k1"))
                        .get("allowed")
                        .asBoolean())
                .isFalse();
        assertThat(json(nodes.get(0).post("/v1/check", dear, KEY, "k2"))
                        .get("allowed")
                        .asBoolean())
                .isFalse();
        assertThat(json(nodes.get(1).post("/v1/check", request("/api", "bob"), KEY, "k2"))
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        assertIsOfAnotherCall(nodes.get(0).post("/v1/check", dear, KEY, "k2"));

        Files.writeString(file, Files.readString(file).replace("3/h", "4/h"));
        for (AutoCloseable each : opened) {
            if (each instanceof PenstockServer server) {
                server.policies().reload();
            }
        }
        for (ServiceClient node : List.of(nodes.get(1), nodes.get(0))) {
            assertThat(json(node.post("/v1/check", dear, KEY, "k1"))
                            .get("allowed")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(remaining(nodes.get(0), "/api", "ann")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void check_repeatedAfterAPolicyChange_isAnsweredWithoutLimits(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        nodes.get(0).post("/v1/check", request("/api", "ann"), KEY, "k1");

        Files.writeString(file, Files.readString(file).replace("3/h", "50/h"));
        for (AutoCloseable each : opened) {
            if (each instanceof PenstockServer server) {
                server.policies().reload();
            }
        }

        for (ServiceClient node : nodes) {
            HttpResponse<String> again = node.post("/v1/check", request("/api", "ann"), KEY, "k1");
            assertThat(json(again).get("allowed").asBoolean()).isTrue();
            assertThat(json(again).get("limits")).isEmpty();
        }
        assertThat(remaining(nodes.get(0), "/api", "ann")).isEqualTo(49);
    }

    @ParameterizedTest
    @EnumSource
    void check_repeatedList_chargesEachOnce(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String friend = "{\"attributes\": {\"route\": \"/api\", \"ip\": \"192.0.2.7\"}}";
        String list = "[" + String.join(",", friend, request("/api", "ann"), request("/api", "ann"), friend) + "]";
        String first = nodes.get(0).post("/v1/check", list, KEY, "k1").body();

        assertThat(json(nodes.get(1).post("/v1/check", list, KEY, "k1")).findValuesAsText("allowed"))
                .containsExactly("true", "true", "true", "true");
        assertThat(json(nodes.get(1).post("/v1/check", list, KEY, "k1")).get(1).toString())
                .isEqualTo(json(nodes.get(0).post("/v1/check", list, KEY, "k1"))
                        .get(1)
                        .toString());
        assertThat(first).contains("ruled_by");
        assertThat(remaining(nodes.get(0), "/api", "ann")).isEqualTo(1);
        assertIsOfAnotherCall(nodes.get(1).post("/v1/check", request("/api", "bob"), KEY, "k1"));
        assertIsOfAnotherCall(nodes.get(1).post("/v1/check", "[" + request("/api", "bob") + "]", KEY, "k1"));
        assertThat(remaining(nodes.get(0), "/api", "bob")).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void check_listWithReleasedSlots_refusesAnotherListAndChargesNothing(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String list = "[" + request("/jobs", "ann") + "," + request("/api", "ann") + "]";
        String permit = "/v1/permits/"
                + json(nodes.get(0).post("/v1/check", list, KEY, "k1"))
                        .get(0)
                        .get("permit")
                        .get("id")
                        .asText();
        assertThat(nodes.get(1).send(nodes.get(1).to(permit).DELETE()).statusCode())
                .isEqualTo(200);

        assertIsOfAnotherCall(nodes.get(1).post("/v1/check", list.replace("ann", "bob"), KEY, "k1"));
        assertThat(remaining(nodes.get(0), "/jobs", "bob")).isEqualTo(2);
        assertThat(remaining(nodes.get(0), "/api", "bob")).isEqualTo(3);
        assertThat(json(nodes.get(0).post("/v1/check", list, KEY, "k1")).findValuesAsText("allowed"))
                .containsExactly("true", "true");
        assertThat(remaining(nodes.get(1), "/jobs", "ann")).isEqualTo(1);
        assertThat(remaining(nodes.get(1), "/api", "ann")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void permits_repeated_returnTheSamePermitWhileItLives(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String job = request("/jobs", "ann");
        String first = nodes.get(0).post("/v1/permits", job, KEY, "k1").body();
        String id = json(nodes.get(1).post("/v1/permits", job, KEY, "k1"))
                .get("permit")
                .get("id")
                .asText();

        assertThat(first).contains(id);
        assertThat(remaining(nodes.get(0), "/jobs", "ann")).isEqualTo(1);
        assertIsOfAnotherCall(nodes.get(1).post("/v1/permits", request("/jobs", "bob"), KEY, "k1"));

        nodes.get(1).send(nodes.get(1).to("/v1/permits/" + id).DELETE());
        assertIsOfAnotherCall(nodes.get(1).post("/v1/permits", request("/jobs", "bob"), KEY, "k1"));
        assertThat(nodes.get(0).post("/v1/permits", job, KEY, "k1").body())
                .contains("\"allowed\":true")
                .doesNotContain(id);
    }

    @ParameterizedTest
    @EnumSource
    void key_ofAnotherCaller_isSeparate(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store, new Secret("the-first-caller"), new Secret("the-second-caller"));
        for (String token : List.of("the-first-caller", "the-second-caller", "the-first-caller")) {
            HttpResponse<String> response = nodes.get(0)
                    .post("/v1/check", request("/api", token), KEY, "k1", "Authorization", "Bearer " + token);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        }
        assertIsOfAnotherCall(nodes.get(1)
                .post(
                        "/v1/check",
                        request("/api", "the-first-caller"),
                        KEY,
                        "k1",
                        "Authorization",
                        "bearer  the-second-caller"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"\"", "\"k1", "k 1", "\"k 1\"", "\"k\"1\"", "\"k\\1\"", "\"", "\"k\";a=1"})
    void malformedKey_isRefusedAndChargesNothing(String key) throws Exception {
        ServiceClient client = clients(Store.MEMORY).get(0);

        for (String path : List.of("/v1/check", "/v1/permits")) {
            HttpResponse<String> response = client.post(path, request("/api", "ann"), KEY, key);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
            assertThat(json(response).get("field").asText()).isEqualTo(KEY);
        }
        assertThat(remaining(client, "/api", "ann")).isEqualTo(3);
    }

    @Test
    void key_hasAMaximumLength() throws Exception {
        ServiceClient client = clients(Store.MEMORY).get(0);

        assertThat(client.post("/v1/check", request("/api", "ann"), KEY, "k".repeat(255))
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.post("/v1/check", request("/api", "ann"), KEY, "k".repeat(256))
                        .statusCode())
                .isEqualTo(400);
        assertThat(client.post("/v1/check", request("/api", "ann"), KEY, "a", KEY, "b")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void badBody_doesNotTakeTheKey() throws Exception {
        ServiceClient client = clients(Store.MEMORY).get(0);

        assertThat(client.post("/v1/check", "{}", KEY, "k1").statusCode()).isEqualTo(400);
        assertThat(client.post("/v1/check", request("/api", "ann"), KEY, "k1").statusCode())
                .isEqualTo(200);
    }

    /** With Redis, the local limit denies the first request, and the store is not asked. */
    @ParameterizedTest
    @EnumSource
    void list_whoseFirstIsDeniedInTheProcess_stillTakesItsKey(Store store) throws Exception {
        ServiceClient client = clients(store).get(0);
        String first = request("/first", "ann");
        assertThat(client.post("/v1/check", first).body()).contains("\"allowed\":true");
        String list = "[" + first + "," + request("/api", "ann") + "]";
        String longer = "[" + first + "," + request("/api", "ann") + "," + request("/api", "ann") + "]";

        HttpResponse<String> charged = client.post("/v1/check", list, KEY, "\"list\"");
        HttpResponse<String> again = client.post("/v1/check", list, KEY, "\"list\"");
        HttpResponse<String> other = client.post("/v1/check", longer, KEY, "\"list\"");

        assertThat(charged.statusCode()).isEqualTo(200);
        assertThat(json(charged).get(0).get("allowed").asBoolean()).isFalse();
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(remaining(client, "/api", "ann")).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void list_whoseFirstIsDenied_takesItsKeyWithTheFirstAllowed(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String dear = request("/api", "ann").replaceFirst("\\{", "{\"costs\": {\"requests\": 3}, ");
        assertThat(json(nodes.get(0).post("/v1/check", request("/api", "ann")))
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        String list = "[" + dear + "," + request("/api", "bob") + "]";

        for (ServiceClient node : List.of(nodes.get(0), nodes.get(1), nodes.get(0))) {
            assertThat(json(node.post("/v1/check", list, KEY, "k1")).findValuesAsText("allowed"))
                    .containsExactly("false", "true");
        }
        assertIsOfAnotherCall(nodes.get(1).post("/v1/check", list.replace("bob", "eve"), KEY, "k1"));
        assertIsOfAnotherCall(nodes.get(0).post("/v1/check", request("/api", "eve"), KEY, "k1"));
        assertThat(remaining(nodes.get(0), "/api", "ann")).isEqualTo(2);
        assertThat(remaining(nodes.get(0), "/api", "bob")).isEqualTo(2);
        assertThat(remaining(nodes.get(1), "/api", "eve")).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void list_deniedCompletely_leavesTheKeyFree(Store store) throws Exception {
        List<ServiceClient> nodes = clients(store);
        String dear = request("/api", "ann").replaceFirst("\\{", "{\"costs\": {\"requests\": 3}, ");
        nodes.get(0).post("/v1/check", request("/api", "ann"));
        String list = "[" + dear + "," + dear + "]";
        String other = "[" + request("/api", "bob") + "]";

        assertThat(json(nodes.get(0).post("/v1/check", list, KEY, "k1")).findValuesAsText("allowed"))
                .containsExactly("false", "false");
        assertThat(json(nodes.get(1).post("/v1/check", other, KEY, "k1")).findValuesAsText("allowed"))
                .containsExactly("true");
        assertIsOfAnotherCall(nodes.get(0).post("/v1/check", list, KEY, "k1"));
        assertThat(remaining(nodes.get(1), "/api", "bob")).isEqualTo(2);
    }

    @Test
    void longList_isAnsweredInOrder() throws Exception {
        ServiceClient client = clients(Store.REDIS).get(0);
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            requests.add(request("/api", "user-" + i / 4));
        }
        var answers = json(client.post("/v1/check", "[" + String.join(",", requests) + "]"));

        assertThat(answers).hasSize(1_000);
        for (int i = 0; i < 1_000; i += 4) {
            int allowed = 0;
            for (int k = i; k < i + 4; k++) {
                allowed += answers.get(k).get("allowed").asBoolean() ? 1 : 0;
            }
            assertThat(allowed).as("of four, at 3 an hour").isEqualTo(3);
        }
    }
}
