package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import dev.penstock.server.internal.net.TestServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Blame for failures: a failure is the caller's fault only if the request was invalid. */
class AggregatedServiceIT {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Server server;

    @BeforeAll
    static void start() {
        server = TestServers.builder()
                .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .service("/bad", (AggregatedService) (context, request) -> {
                    throw new BadRequest("costs.tokens", "-1 (expected: 0 or more)");
                })
                .service("/refused", (AggregatedService) (context, request) -> {
                    throw new IllegalArgumentException("limits: 65 (expected: at most 64)");
                })
                .service("/failed", (AggregatedService) (context, request) ->
                        CompletableFuture.failedFuture(new IllegalArgumentException("ours, and secret")))
                .service("/failedLater", (AggregatedService) (context, request) -> failedLater())
                .service("/broken", (AggregatedService) (context, request) -> {
                    throw new AssertionError("ours, and secret");
                })
                .service("/good", (AggregatedService)
                        (context, request) -> CompletableFuture.completedFuture(HttpResponse.of(HttpStatus.OK)))
                .build();
        server.start().join();
    }

    @AfterAll
    static void stop() {
        server.stop().join();
    }

    private static CompletionStage<HttpResponse> failedLater() {
        return CompletableFuture.supplyAsync(() -> {
            throw new IllegalArgumentException("ours, and secret");
        });
    }

    private static java.net.http.HttpResponse<String> ask(String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.activeLocalPort() + path);
        return CLIENT.send(
                HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.ofString());
    }

    @Test
    void invalidRequest_isTheCallersFault() throws Exception {
        assertThat(ask("/bad").statusCode()).isEqualTo(400);
        assertThat(ask("/bad").body()).contains("costs.tokens: -1 (expected: 0 or more)");
        assertThat(ask("/refused").statusCode()).isEqualTo(400);
        assertThat(ask("/refused").body()).contains("limits: 65 (expected: at most 64)");
    }

    @Test
    void internalFailure_isNot_andIsNotRevealed() throws Exception {
        for (String path : new String[] {"/failed", "/failedLater", "/broken"}) {
            assertThat(ask(path).statusCode()).as(path).isEqualTo(500);
            assertThat(ask(path).body()).as(path).contains("the service failed").doesNotContain("secret");
        }
        assertThat(ask("/good").statusCode()).isEqualTo(200);
    }
}
