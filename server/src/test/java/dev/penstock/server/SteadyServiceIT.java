package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.server.RedisServer;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service with default settings over a healthy Redis, called from the moment it is ready. Nobody below the limit is
 * denied, nothing fails, and the breaker never opens. The short form of {@code ./penstock bench steady}.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("alone")
class SteadyServiceIT {
    private static final int TICK_MILLIS = 10;
    private static final int TICKS_PER_SECOND = 1_000 / TICK_MILLIS;
    private static final int CALLERS = 64;
    private static final int PERMITS = 100;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final List<SteadyNode> nodes = new ArrayList<>();
    private final SteadyAnswers answers = new SteadyAnswers();

    @TempDir
    private Path directory;

    private Path policies;
    private RedisServer redis;

    @BeforeEach
    void start() throws Exception {
        policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: window, match: { kind: check }, limits: [ { key: [user], fixed_window: 1000000/h } ] }
                  - { name: bucket, match: { kind: check }, limits: [ { key: [user], token_bucket: 1000000/h } ] }
                  - { name: scarce, match: { kind: scarce }, limits: [ { key: [user], fixed_window: %d/365d } ] }
                """.formatted(PERMITS));
        redis = RedisServer.start();
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
        nodes.forEach(SteadyNode::close);
        redis.close();
    }

    private SteadyNode startNode() {
        SteadyNode node = SteadyNode.start(policies, redis.uri());
        nodes.add(node);
        return node;
    }

    @Test
    void cold_300Then2000PerSecond_thenStoppedTwice_nobodyIsDenied() throws Exception {
        SteadyNode node = startNode();
        Supplier<CompletableFuture<String>> check = () -> SteadyAnswers.check(node.http2(), answers.nextBody());
        openLoop(300, check, 3);
        openLoop(2_000, check, 3);
        for (int i = 0; i < 2; i++) {
            ScheduledFuture<?> load = startOpenLoop(2_000, check);
            after(300, () -> node.signal("STOP")).get();
            after(500, () -> node.signal("CONT")).get();
            after(500, () -> load.cancel(false)).get();
        }

        answers.assertNoneDenied();
        assertNoFallback(node);
    }

    @Test
    void cold_64InFlight_overEachProtocol_nobodyIsDenied() throws Exception {
        SteadyNode node = startNode();
        closedLoop(() -> SteadyAnswers.check(node.http1(), answers.nextBody()));
        closedLoop(() -> SteadyAnswers.check(node.http2(), answers.nextBody()));
        try (EnvoyClient envoy = new EnvoyClient(node.port(), "steady")) {
            closedLoop(() ->
                    ask(envoy, envoy.request(EnvoyClient.descriptor("kind", "check", "user", answers.nextUser()))));
        }

        answers.assertNoneDenied();
        assertNoFallback(node);
    }

    private static CompletableFuture<String> ask(EnvoyClient envoy, RateLimitRequest request) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        RateLimitServiceGrpc.newStub(envoy.channel()).shouldRateLimit(request, new StreamObserver<>() {
            @Override
            public void onNext(RateLimitResponse response) {
                boolean isOk = response.getOverallCode() == RateLimitResponse.Code.OK;
                answer.complete(isOk ? "allowed" : response.getOverallCode().toString());
            }

            @Override
            public void onError(Throwable failure) {
                answer.complete(SteadyAnswers.kind(Status.fromThrowable(failure)));
            }

            @Override
            public void onCompleted() {
                answer.completeExceptionally(new IllegalStateException("no message"));
            }
        });
        return answer;
    }

    @Test
    void cold_100Permits_16Clients_exactly100AreAllowed() {
        SteadyNode node = startNode();
        String body = SteadyAnswers.body("scarce", "ann");
        AtomicInteger left = new AtomicInteger(3_000);
        CompletableFuture.allOf(IntStream.range(0, 16)
                        .mapToObj(i -> whileTrue(
                                () -> left.getAndDecrement() > 0,
                                () -> answers.count(() -> SteadyAnswers.check(node.http1(), body))))
                        .toArray(CompletableFuture[]::new))
                .join();

        assertThat(answers.allowed()).as("allowed").isEqualTo(PERMITS);
        assertNoFallback(node);
    }

    private static void assertNoFallback(SteadyNode node) {
        assertThat(node.metric("rate_limiter_fallback_mode_total"))
                .as("times that the breaker opened")
                .isZero();
    }

    /** Sends on schedule for some seconds, without waiting for answers. */
    private void openLoop(int perSecond, Supplier<CompletableFuture<String>> request, int seconds) throws Exception {
        ScheduledFuture<?> load = startOpenLoop(perSecond, request);
        after(seconds * 1_000, () -> load.cancel(false)).get();
    }

    private ScheduledFuture<?> startOpenLoop(int perSecond, Supplier<CompletableFuture<String>> request) {
        return timer.scheduleAtFixedRate(
                () -> {
                    for (int i = 0; i < perSecond / TICKS_PER_SECOND; i++) {
                        var unused = answers.count(request);
                    }
                },
                0,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Runs 64 callers for two seconds. Each sends the next request as soon as it is answered. */
    private void closedLoop(Supplier<CompletableFuture<String>> request) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Void>> callers = IntStream.range(0, CALLERS)
                .mapToObj(i -> whileTrue(() -> !isOver.get(), () -> answers.count(request)))
                .toList();
        after(2_000, () -> isOver.set(true)).get();
        CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).join();
    }

    private static CompletableFuture<Void> whileTrue(
            Supplier<Boolean> condition, Supplier<CompletableFuture<Void>> step) {
        return condition.get()
                ? step.get().thenComposeAsync(unused -> whileTrue(condition, step))
                : CompletableFuture.completedFuture(null);
    }

    /** An action that may fail. */
    private interface Action {
        void run() throws Exception;
    }

    private ScheduledFuture<?> after(int millis, Action action) {
        return timer.schedule(
                () -> {
                    action.run();
                    return null;
                },
                millis,
                TimeUnit.MILLISECONDS);
    }
}
