package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two services on one Redis, with a client that uses them in turn. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedisServiceIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LIMIT = 300;
    private static final int CALLERS = 6;

    /** A long timeout, so that a busy machine does not look like a failed store. */
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private final AtomicInteger turn = new AtomicInteger();

    @TempDir
    private Path directory;

    private RedisServer redis;
    private List<PenstockServer> services;

    /**
     * The lowest remaining amount reported by the store, by service, mode and user. Nothing refills during the test.
     */
    private final Map<String, Long> lastWords = new ConcurrentHashMap<>();

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: local, match: { mode: local }, limits: [ { key: [user], token_bucket: %1$d/d } ] }
                  - name: closed
                    match: { mode: closed }
                    on_store_failure: closed
                    limits: [ { key: [user], token_bucket: %1$d/d } ]
                  - name: open
                    match: { mode: open }
                    on_store_failure: open
                    limits: [ { key: [user], token_bucket: %1$d/d } ]
                """.formatted(LIMIT));
        redis = RedisServer.start();
        ServerSettings settings = TestService.settings(file)
                .withRedis(new RedisUri(redis.uri()))
                .withNodes(2)
                .withDeadline(PATIENT);
        services = List.of(PenstockServer.start(settings), PenstockServer.start(settings));
    }

    @AfterEach
    void stop() {
        callers.shutdownNow();
        services.forEach(PenstockServer::close);
        redis.close();
    }

    /** Returns an answer of the next service. */
    private JsonNode check(String mode, String user) {
        PenstockServer service = services.get(Math.floorMod(turn.getAndIncrement(), services.size()));
        String body = "{\"attributes\": {\"mode\": \"%s\", \"user\": \"%s\"}}".formatted(mode, user);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + "/v1/check"))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonNode answer = JSON.readTree(response.body());
            if (isByStore(answer)) {
                long remaining = answer.get("limits").get(0).get("remaining").asLong();
                lastWords.merge(service.port() + mode + user, remaining, Math::min);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends {@code asked} requests from several concurrent callers and returns how many are allowed. */
    private int allowed(String mode, String user, int asked) {
        List<CompletableFuture<Integer>> all = IntStream.range(0, CALLERS)
                .mapToObj(caller -> CompletableFuture.supplyAsync(
                        () -> {
                            int got = 0;
                            for (int i = caller; i < asked; i += CALLERS) {
                                got += check(mode, user).get("allowed").asBoolean() ? 1 : 0;
                            }
                            return got;
                        },
                        callers))
                .toList();
        return all.stream().mapToInt(CompletableFuture::join).sum();
    }

    @Test
    void firstDecision_isMadeByTheStore() {
        assertThat(isByStore(check("closed", "ann"))).isTrue();
    }

    @Test
    void together_theyAllowExactlyTheLimit() {
        assertThat(allowed("local", "ann", 3 * LIMIT)).isEqualTo(LIMIT);
    }

    @Test
    void redisKilledUnderLoad_failureModesAnswer_andLimitsHoldAgainAfterwards() {
        Map<String, Queue<JsonNode>> without = Map.of(
                "open", new ConcurrentLinkedQueue<>(),
                "closed", new ConcurrentLinkedQueue<>(),
                "local", new ConcurrentLinkedQueue<>());
        allowed("local", "ann", LIMIT / 2);
        redis.kill();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            without.forEach((mode, answers) -> {
                for (int i = 0; i < CALLERS; i++) {
                    JsonNode answer = check(mode, "ann");
                    if (answer.get("decided_by").asText().equals("fallback")) {
                        answers.add(answer);
                    }
                }
            });
            return without.values().stream().allMatch(answers -> answers.size() >= 50);
        });
        long local = allowed("local", "ann", 3 * LIMIT)
                + without.get("local").stream()
                        .filter(answer -> answer.get("allowed").asBoolean())
                        .count();

        assertThat(without.get("open")).allMatch(answer -> answer.get("allowed").asBoolean());
        assertThat(without.get("closed"))
                .noneMatch(answer -> answer.get("allowed").asBoolean())
                .allMatch(answer -> answer.get("reason").asText().equals("store_failed"));
        // Each service has half of what the store last reported to it, without the other's last requests.
        long left = services.stream()
                .mapToLong(service -> lastWords.get(service.port() + "localann") / services.size())
                .sum();
        assertThat(local).as("no free burst: together they have what was left").isEqualTo(left);

        redis.restart();
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> IntStream.range(0, 20).allMatch(i -> isByStore(check("closed", "somebody else"))));
        assertThat(allowed("closed", "a new one", 3 * LIMIT)).isEqualTo(LIMIT);
    }

    private static boolean isByStore(JsonNode answer) {
        return answer.get("decided_by").asText().equals("store");
    }
}
