package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that do not read, or do not finish their requests, delay a shutdown no longer than the drain time. */
class HostileDrainIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration DRAIN = Duration.ofSeconds(4);

    /** Allowance for a busy machine. A client that blocks the shutdown would take all of it and more. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    private static final long FLOOD_BYTES = 48 << 20;

    @TempDir
    Path directory;

    @Test
    void service_stopsDespiteThem() throws Exception {
        DrainSettings drain = new DrainSettings(Duration.ZERO, DRAIN);
        ClientSettings patient = ClientSettings.DEFAULT.withSlowest(ClientSettings.LONGEST);
        TestService service = TestService.start(
                directory, settings -> settings.withDrain(drain).withClients(patient));
        byte[] pings = Http2Bytes.join(Collections.nCopies(1_000, Http2Bytes.frame(Http2Bytes.PING, 0, 0, new byte[8]))
                .toArray(byte[][]::new));
        byte[] gets =
                "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_000).getBytes(StandardCharsets.US_ASCII);
        try (RawClient pinging = RawClient.to(service.port());
                RawClient pipelining = RawClient.to(service.port());
                RawClient windowless = RawClient.to(service.port());
                RawClient late = RawClient.to(service.port());
                RawClient unfinished = RawClient.to(service.port())) {
            pinging.send(Http2Bytes.hello());
            windowless.send(Http2Bytes.helloWithoutWindow());
            windowless.send(Http2Bytes.frame(
                    Http2Bytes.HEADERS,
                    Http2Bytes.END_STREAM | Http2Bytes.END_HEADERS,
                    1,
                    Http2Bytes.get("/health/live")));
            unfinished.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
            List<CompletableFuture<Long>> floods = List.of(
                    CompletableFuture.supplyAsync(() -> pinging.sendUntilCut(pings, FLOOD_BYTES)),
                    CompletableFuture.supplyAsync(() -> pipelining.sendUntilCut(gets, FLOOD_BYTES)));
            assertThat(service.check("honest")).isTrue();

            CompletableFuture.delayedExecutor(1_500, TimeUnit.MILLISECONDS)
                    .execute(() -> late.trySend(Http2Bytes.hello())); // chooses HTTP/2 during the shutdown
            assertThat(CompletableFuture.runAsync(service::close)).succeedsWithin(DRAIN.plus(MARGIN));
            assertThat(floods).allSatisfy(flood -> assertThat(flood).succeedsWithin(LONG));
        }
    }
}
