package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node is ready when it has exercised the path of a request often enough. Nothing else is affected. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WarmUpIT {
    /** A target that every machine reaches. */
    private static final WarmUpSettings EASY = new WarmUpSettings(Duration.ofMinutes(1), Duration.ofMinutes(2));

    private static final String GONE = "redis://127.0.0.1:1";

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(directory.resolve("policies.yaml"), TestService.POLICIES);
        WarmUp.IS_JVM_WARM.set(false);
    }

    private ServerSettings settings(WarmUpSettings warmUp) {
        return TestService.settings(file).withWarmUp(warmUp);
    }

    private static HttpResponse<String> ready(PenstockServer server) throws Exception {
        return new ServiceClient(server).get("/health/ready");
    }

    @Test
    void target_isReached_andLoggedOnce() throws Exception {
        try (LogLines log = LogLines.of(WarmUp.class);
                PenstockServer server = PenstockServer.start(settings(EASY))) {
            assertThat(ready(server).statusCode()).isEqualTo(200);
            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .startsWith("INFO warmed up in ")
                    .contains("warm_up.target is reached");
        }
    }

    @Test
    void timeout_endsTheWarmUp() throws Exception {
        WarmUpSettings brief = new WarmUpSettings(Duration.ofMinutes(1), Duration.ofMillis(1));
        try (LogLines log = LogLines.of(WarmUp.class);
                PenstockServer server = PenstockServer.start(settings(brief))) {
            assertThat(ready(server).statusCode()).isEqualTo(200);
            assertThat(log.with("warm_up.at_most has passed")).hasSize(1);
        }
    }

    @Test
    void secondServiceOfAProcess_startsWarm() throws Exception {
        try (LogLines log = LogLines.of(WarmUp.class)) {
            PenstockServer.start(settings(EASY)).close();
            PenstockServer.start(settings(EASY)).close();

            assertThat(log.with("another service in this process has already warmed up"))
                    .hasSize(1);
        }
    }

    @Test
    void warmUp_leavesNoTraces() throws Exception {
        try (RedisServer redis = RedisServer.start();
                LogLines log = LogLines.of(WarmUp.class);
                PenstockServer server = PenstockServer.start(settings(EASY).withRedis(new RedisUri(redis.uri())))) {
            ServiceClient admin = ServiceClient.ofAdmin(server);
            String metrics = admin.get("/metrics").body();

            assertThat(log.with("target is reached")).hasSize(1);
            assertThat(metrics.lines())
                    // not redis_batch_size: the guard of an idle node probes the store every second
                    .filteredOn(line -> line.matches(
                            "(rate_limiter_(requests|overloaded|deny_cache|lease|redis_errors)|http_429).*"))
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line).matches(".* 0(\\.0)?"));
            assertThat(metrics).doesNotContain("warm-up");
            assertThat(json(admin.get("/admin/history")).at("/policies")).isEmpty();
            assertThat(admin.get("/admin/keys/top").body()).doesNotContain("warm-up");
            assertThat(redis.command("keys", "*{api*")).isBlank();

            assertThat(new ServiceClient(server)
                            .post("/v1/check", TestService.body("ann"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(admin.get("/metrics").body().lines())
                    .filteredOn(line -> line.matches("rate_limiter_requests_total\\{.*outcome=\"allowed\".* 1[.]0"))
                    .hasSize(1);
        }
    }

    @Test
    void withoutTheStore_theTimeoutEndsIt_andTheNodeIsReady() throws Exception {
        WarmUpSettings brief = new WarmUpSettings(Duration.ofMillis(1), Duration.ofMillis(500));
        try (PenstockServer server = PenstockServer.start(settings(brief).withRedis(new RedisUri(GONE)))) {
            assertThat(ready(server).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void duringTheWarmUp_theNodeIsNotReady_andCanBeClosed() throws Exception {
        WarmUpSettings endless = new WarmUpSettings(Duration.ofMillis(1), WarmUpSettings.LONGEST);
        LogLines log = LogLines.of(WarmUp.class);
        try (log;
                PenstockServer server = PenstockServer.open(settings(endless).withRedis(new RedisUri(GONE)))) {
            HttpResponse<String> answer = ready(server);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(json(answer).get("reason").asText()).isEqualTo("warming up");
            assertThat(json(ServiceClient.ofAdmin(server).get("/admin/status"))
                            .get("state")
                            .asText())
                    .isEqualTo("warming up");
            assertThat(new ServiceClient(server)
                            .post("/v1/check", TestService.body("ann"))
                            .statusCode())
                    .isEqualTo(200);

            server.drain();
            assertThat(json(ready(server)).get("reason").asText()).startsWith("shutting down");
        }
        assertThat(log.with("failed")).isEmpty();
    }
}
