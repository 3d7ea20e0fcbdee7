package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.LimitStatus;
import dev.penstock.Request;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shutdown of a service. */
class DrainIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Request ANN = Request.of("user", "ann");

    /** The number of leases that had expired before they were settled, according to the permits' records. */
    private static final String EXPIRED_LEASES = """
            local expired = 0
            for _, key in ipairs(redis.call('KEYS', '*permit:*')) do
              local ending = redis.call('HGET', key, 'ending')
              if ending and cmsgpack.unpack(ending)[1] == 'expired' then
                expired = expired + 1
              end
            end
            return expired
            """;

    @TempDir
    Path directory;

    @Test
    void requestInProgress_isFinished() throws Exception {
        TestService service = TestService.start(directory, settings -> settings.withDrain(DrainSettings.DEFAULT));
        try (RawClient client = RawClient.to(service.port());
                RawClient second = RawClient.to(service.port())) {
            String body = TestService.body("ann");
            client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n");
            client.send(body.substring(0, 10));
            await().atMost(LONG).until(() -> hasPending(service));
            CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);
            await().atMost(LONG).until(() -> isRefused(service.port()));

            assertThat(closing).isNotDone();
            second.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(second.all()).as("on a connection accepted before").startsWith("HTTP/1.1 200");
            assertThat(closing).isNotDone();
            client.send(body.substring(10));
            String answer = client.all();

            assertThat(answer).startsWith("HTTP/1.1 200").contains("\"allowed\":true");
            assertThat(closing).succeedsWithin(LONG);
        } finally {
            service.close();
        }
    }

    private static boolean hasPending(TestService service) throws Exception {
        return service.get(service.server().metricsPort(), "/metrics")
                .body()
                .contains("rate_limiter_connections{port=\"main\"} 2.0");
    }

    /** Returns true if nothing listens on the port. An accepted connection is not cut. */
    private static boolean isRefused(int port) {
        try (RawClient client = RawClient.to(port)) {
            client.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            String unused = client.all();
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) { // not accepted before the listening stopped
            return false;
        }
    }

    @Test
    void delay_keepsServing_andReportsNotReady() throws Exception {
        DrainSettings drain = new DrainSettings(Duration.ofSeconds(5), Duration.ofSeconds(10));
        TestService service = TestService.start(directory, settings -> settings.withDrain(drain));
        assertThat(service.check("bob"))
                .as("warms up the client, whose first request is slow")
                .isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);
        await().atMost(LONG)
                .until(() -> service.get(service.port(), "/health/ready").statusCode() == 503);

        assertThat(service.check("ann")).isTrue();
        assertThat(closing).succeedsWithin(LONG);
    }

    /** Clients that never pause, on persistent connections: every accepted request is answered. */
    @Test
    void load_everyAcceptedRequestIsAnswered() throws Exception {
        TestService service = TestService.start(directory, settings -> settings.withDrain(DrainSettings.DEFAULT));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        List<CompletableFuture<Void>> clients = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.runAsync(() -> keepAsking(service.port(), stop, answered, wrong)))
                .toList();
        await().atMost(LONG).until(() -> answered.get() > 200);
        service.close();
        stop.set(true);

        assertThat(CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)))
                .succeedsWithin(LONG);
        assertThat(wrong).as("missing answers, or answers without a decision").hasValue(0);
    }

    private static void keepAsking(int port, AtomicBoolean stop, AtomicInteger answered, AtomicInteger wrong) {
        String ask = "GET /v1/gate HTTP/1.1\r\nHost: a\r\n\r\n";
        while (!stop.get()) {
            try (RawClient client = RawClient.to(port)) {
                boolean open = true;
                for (int i = 0; open; i++) {
                    client.send(ask);
                    String head;
                    try {
                        head = client.until("\r\n\r\n");
                    } catch (IOException e) {
                        // Any connection may be closed between two requests; after the first request, an answer
                        // announced it.
                        wrong.addAndGet(i == 0 ? 0 : 1);
                        break;
                    }
                    open = !head.contains("connection: close");
                    wrong.addAndGet(head.startsWith("HTTP/1.1 200") || head.startsWith("HTTP/1.1 429") ? 0 : 1);
                    answered.incrementAndGet();
                }
            } catch (IOException e) { // no more connections
                return;
            }
        }
    }

    /** Many requests on few connections: each is answered, or the client learns that it was not processed. */
    @Test
    void http2Load_everyAcceptedRequestIsAnswered() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            TestService service = TestService.start(
                    directory,
                    settings -> settings.withRedis(new RedisUri(redis.uri()))
                            .withDrain(new DrainSettings(Duration.ZERO, LONG))); // longer than any busy machine takes
            WebClient client = WebClient.builder("h2c://127.0.0.1:" + service.port())
                    .responseTimeoutMillis(0) // a busy machine may be slow
                    .writeTimeoutMillis(0)
                    .build();
            Queue<CompletableFuture<AggregatedHttpResponse>> answers = new ConcurrentLinkedQueue<>();
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
            var unused = timer.scheduleAtFixedRate(
                    () -> answers.add(
                            client.post("/v1/check", TestService.body("ann")).aggregate()),
                    0,
                    1,
                    TimeUnit.MILLISECONDS);
            await().atMost(LONG).until(() -> answers.size() > 2_000);
            service.close();
            timer.shutdown();
            assertThat(timer.awaitTermination(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();

            assertThat(answers)
                    .map(answer -> answer.handle((any, failure) -> failure).join())
                    .allMatch(failure -> failure == null || failure instanceof UnprocessedRequestException);
        }
    }

    /**
     * The client keeps sending while the service closes the connection. A reset at that moment would discard the
     * answers and the GOAWAY that the client has not read yet.
     */
    @Test
    void http2ClientThatKeepsSending_isNotReset() throws Exception {
        DrainSettings drain = new DrainSettings(Duration.ZERO, LONG);
        TestService service = TestService.start(directory, settings -> settings.withDrain(drain));
        byte[] ping = Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[8]);
        CompletableFuture<Void> closing;
        try (RawClient client = RawClient.to(service.port())) {
            client.send(Http2Bytes.hello());
            assertThat(Http2Bytes.next(client.in()).type()).isEqualTo(Http2Bytes.SETTINGS);
            CompletableFuture<Set<Integer>> seen = CompletableFuture.supplyAsync(() -> frameTypes(client));
            closing = CompletableFuture.runAsync(service::close);
            while (!seen.isDone()) {
                sendSoon(client, ping);
            }
            for (int i = 0; i < 50; i++) {
                sendSoon(client, ping); // fails after a reset
            }

            assertThat(seen.join()).contains(Http2Bytes.GOAWAY);
        } finally {
            service.close();
        }
        assertThat(closing).succeedsWithin(LONG);
    }

    private static void sendSoon(RawClient client, byte[] frame) throws IOException {
        LockSupport.parkNanos(1_000_000); // a client, not a flood
        client.send(frame);
    }

    /** Returns the types of all frames until the other side closes. */
    private static Set<Integer> frameTypes(RawClient client) {
        Set<Integer> types = new HashSet<>();
        try {
            for (Http2Bytes.Frame next = Http2Bytes.next(client.in());
                    next != null;
                    next = Http2Bytes.next(client.in())) {
                types.add(next.type());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return types;
    }

    /** The client offers no window, so its answer cannot be sent. That must not delay the shutdown. */
    @Test
    void http2ClientWithoutWindow_isCut() throws Exception {
        DrainSettings drain = new DrainSettings(Duration.ZERO, Duration.ofSeconds(2));
        TestService service = TestService.start(directory, settings -> settings.withDrain(drain));
        try (RawClient client = RawClient.to(service.port())) {
            byte[] noWindow = {0, 4, 0, 0, 0, 0};
            client.send(Http2Bytes.join(
                    Http2Bytes.PREFACE,
                    Http2Bytes.frame(Http2Bytes.SETTINGS, 0, 0, noWindow),
                    Http2Bytes.frame(
                            Http2Bytes.HEADERS,
                            Http2Bytes.END_STREAM | Http2Bytes.END_HEADERS,
                            1,
                            Http2Bytes.get("/health/live"))));
            await().atMost(LONG)
                    .until(() -> service.get(service.server().metricsPort(), "/metrics")
                            .body()
                            .contains("rate_limiter_connections{port=\"main\"} 1.0"));

            assertThat(CompletableFuture.runAsync(service::close)).succeedsWithin(LONG);
        }
    }

    /** Closing the engine returns the leased permits and informs the other nodes that this one is gone. */
    @Test
    void engine_isClosedToo() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            TestService service = TestService.start(
                    directory,
                    settings -> settings.withRedis(new RedisUri(redis.uri())).withDeadline(Duration.ofSeconds(5)));
            try (service) {
                await().atMost(LONG).until(() -> !nodes(redis).isEmpty());
            }

            assertThat(nodes(redis)).isEmpty();
        }
    }

    private static String nodes(RedisServer redis) {
        return redis.command("KEYS", "*{fleet}nodes").strip();
    }

    /**
     * Everything that was not requested is available again. If the machine stalled until a lease expired, the lease was
     * charged in full, as documented. Redis shows that, and the test then runs once more.
     */
    @Test
    void leasedPermits_areReturned() throws Exception {
        Path policies = Files.writeString(directory.resolve("leased.yaml"), """
                version: 1
                policies:
                  - name: busy
                    consistency: leased
                    limits: [ { key: [user], token_bucket: 1000/365d } ]
                """);
        try (RedisServer redis = RedisServer.start()) {
            ServerSettings settings = TestService.settings(policies)
                    .withRedis(new RedisUri(redis.uri()))
                    .withDeadline(Duration.ofSeconds(5));
            await().atMost(LONG).until(() -> {
                redis.command("FLUSHALL");
                int asked = askUntilDrawnAhead(settings);
                assertThat(redis.command("KEYS", "*holds*").strip()).as("held").isEmpty();
                boolean isExact = redis.command("EVAL", EXPIRED_LEASES, "0").equals("0");
                try (PenstockServer other = PenstockServer.start(settings)) {
                    LimitStatus status = other.limiter().decide(ANN).limits().get(0);

                    assertThat(status.remaining()).isLessThanOrEqualTo(1000 - asked - 1);
                    assertThat(!isExact || status.remaining() == 1000 - asked - 1)
                            .as("%s left after %s, and no lease expired", status.remaining(), asked)
                            .isTrue();
                }
                return isExact;
            });
        }
    }

    /** Sends requests until some were decided by a lease, then closes the service. Returns how many were sent. */
    private static int askUntilDrawnAhead(ServerSettings settings) throws Exception {
        int asked = 0;
        try (PenstockServer service = PenstockServer.start(settings)) {
            int ahead = 0;
            while (ahead < 3 && asked < 500) {
                Decision decision = service.limiter().decide(ANN);
                assertThat(decision.isAllowed()).isTrue();
                asked++;
                ahead += decision.decidedBy() == DecidedBy.LEASE ? 1 : 0;
            }
            assertThat(ahead).as("decided by a lease").isEqualTo(3);
        }
        return asked;
    }

    @Test
    void close_twice_isOnce() throws Exception {
        TestService service = TestService.start(directory, settings -> settings.withDrain(DrainSettings.DEFAULT));
        int port = service.port();
        service.close();
        service.close();

        assertThat(isRefused(port)).isTrue();
    }
}
