package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.penstock.server.internal.net.Port;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/1 requests that a client sends without waiting for answers. */
class PipeliningIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String GET = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    Path directory;

    @Test
    void requestsWithUnreadAnswers_areCut_andOthersAreServedMeanwhile() throws Exception {
        try (TestService service = TestService.start(
                        directory,
                        settings -> settings.withClients(ClientSettings.DEFAULT.withSlowest(Duration.ofSeconds(2))));
                RawClient hostile = RawClient.to(service.port())) {
            byte[] thousand = GET.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            long all = 300L * thousand.length;
            CompletableFuture<Long> sent = CompletableFuture.supplyAsync(() -> hostile.sendUntilCut(thousand, all));
            int served = 0;
            while (!sent.isDone()) {
                assertThat(service.check("honest-" + ++served)).isTrue();
            }

            assertThat(sent.join()).isLessThan(all);
        }
    }

    @Test
    void requests_areHandledOneAfterTheOther_andAllAreAnswered() throws Exception {
        int requests = 600;
        ConcurrentLinkedQueue<CompletableFuture<HttpResponse>> underWay = new ConcurrentLinkedQueue<>();
        ListenAddress any = new ListenAddress("127.0.0.1", 0);
        try (Port port = Port.open(
                        "port",
                        any,
                        new Port.Bounds(ClientSettings.DEFAULT, Duration.ofSeconds(1)),
                        null,
                        paths -> paths.add(HttpMethod.GET, "/wait", (context, request) -> {
                            CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
                            underWay.add(answer);
                            return HttpResponse.of(answer);
                        }));
                RawClient client = RawClient.to(port.number())) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(
                    () -> client.trySend(WAIT.repeat(requests).getBytes(StandardCharsets.US_ASCII)));
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> answers(client, requests));
            await().atMost(LONG).until(() -> !underWay.isEmpty());
            int answered = 0;
            while (answered < requests) {
                assertThat(underWay.size()).as("in progress").isLessThanOrEqualTo(1);
                CompletableFuture<HttpResponse> next = underWay.poll();
                if (next != null) {
                    next.complete(HttpResponse.of(HttpStatus.OK));
                    answered++;
                }
            }

            sent.join();
            assertThat(read.join()).isEqualTo(requests);
        }
    }

    /** The total time does not matter: the service takes it, not the client. */
    @Test
    void manyRequests_longerThanTheClientTimeoutInTotal_areAllAnswered() throws Exception {
        int requests = 400;
        ClientSettings clients = ClientSettings.DEFAULT.withSlowest(Duration.ofSeconds(1));
        try (Port port = answeringLater(clients, Duration.ofMillis(5));
                RawClient client = RawClient.to(port.number())) {
            for (int i = 0; i < 2; i++) { // the second round shows that the first left no timer
                client.send(WAIT.repeat(requests));

                assertThat(answers(client, requests)).isEqualTo(requests);
            }
        }
    }

    /** The service stops reading from a client that sends more requests than it has answers for. */
    @Test
    void requestsBeyondTheAnswers_areNotRead() throws Exception {
        int answers = 15_000;
        byte[] piece = WAIT.repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        try (Port port = answeringLater(ClientSettings.DEFAULT, Duration.ZERO);
                RawClient client = RawClient.to(port.number())) {
            AtomicLong sent = new AtomicLong();
            Thread sender = new Thread(() -> {
                while (sent.get() < (256 << 20) && client.trySend(piece)) {
                    sent.addAndGet(piece.length);
                }
            });
            sender.setDaemon(true);
            sender.start();

            assertThat(answers(client, answers)).isEqualTo(answers);
            // The answered requests, plus the contents of both sockets' buffers.
            assertThat(sent.get()).isLessThan((long) answers * WAIT.length() + (12 << 20));
        }
    }

    private static Port answeringLater(ClientSettings clients, Duration delay) {
        return Port.open(
                "port",
                new ListenAddress("127.0.0.1", 0),
                new Port.Bounds(clients, Duration.ofSeconds(1)),
                null,
                paths -> paths.add(HttpMethod.GET, "/wait", (context, request) -> {
                    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
                    var unused = context.eventLoop()
                            .schedule(
                                    () -> answer.complete(HttpResponse.of(HttpStatus.OK)),
                                    delay.toMillis(),
                                    TimeUnit.MILLISECONDS);
                    return HttpResponse.of(answer);
                }));
    }

    private static int answers(RawClient client, int atMost) {
        int answers = 0;
        try {
            while (answers < atMost) {
                client.until("HTTP/1.1 200");
                answers++;
            }
        } catch (IOException e) {
            return answers;
        }
        return answers;
    }
}
