package dev.penstock.demo;

import dev.penstock.spi.Scheduler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls the service over HTTP, as an application would. If a call gets a permit, simulates work before it ends the
 * permit. Thread-safe; never blocks on an answer.
 */
final class ServiceClient implements AutoCloseable {
    private static final int MOST_UNDERWAY = 200;
    private static final Duration SLOWEST = Duration.ofSeconds(10);
    private static final Duration PATIENCE_AT_END = Duration.ofSeconds(2);
    private static final long SHORTEST_WORK_MILLIS = 1_000;
    private static final long LONGEST_WORK_MILLIS = 4_000;
    private static final long PASSWORD_CHECK_MILLIS = 150;
    private static final String NO_COST = "{\"costs\":{\"requests\":0}}";
    private static final Pattern PERMIT = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore underway = new Semaphore(MOST_UNDERWAY);
    private final String address;
    private final String adminAddress;
    private final Summary summary;
    private volatile boolean isClosed;

    ServiceClient(int port, int adminPort, Summary summary) {
        this.address = "http://127.0.0.1:" + port;
        this.adminAddress = "http://127.0.0.1:" + adminPort;
        this.summary = summary;
    }

    /** Sends the requests of a question. Does nothing if too many are in flight. */
    void ask(String name, Question question) {
        int count = Math.max(1, question.permits());
        if (isClosed || !underway.tryAcquire(count)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            send(name, question);
        }
    }

    private void send(String name, Question question) {
        boolean isLogin = question.permits() > 0;
        HttpRequest request = to(isLogin ? "/v1/permits" : "/v1/check")
                .POST(HttpRequest.BodyPublishers.ofString(question.json()))
                .build();
        var unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .whenComplete((response, failure) -> {
                    underway.release();
                    if (failure != null) {
                        summary.unanswered(failure.toString());
                    } else if (response.statusCode() != 200) {
                        summary.unanswered(response.statusCode() + " " + response.body());
                    } else {
                        summary.answered(name, Answer.of(response.body()));
                        end(response.body(), isLogin);
                    }
                });
    }

    /** Ends a permit after some work: checking a password, which is right and so costs nothing, or an export. */
    private void end(String answer, boolean isLogin) {
        Matcher permit = PERMIT.matcher(answer);
        if (!permit.find()) {
            return;
        }
        String path = "/v1/permits/" + permit.group(1);
        if (isLogin) {
            after(PASSWORD_CHECK_MILLIS, to(path + "/settle").POST(HttpRequest.BodyPublishers.ofString(NO_COST)));
        } else {
            long workMillis = ThreadLocalRandom.current().nextLong(SHORTEST_WORK_MILLIS, LONGEST_WORK_MILLIS);
            after(workMillis, to(path).DELETE());
        }
    }

    /** Sends a request later. Its result does not matter, because the store may have lost the permit meanwhile. */
    private void after(long millis, HttpRequest.Builder request) {
        Scheduler.system().after(Duration.ofMillis(millis), () -> {
            if (!isClosed) {
                var unused = http.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
            }
        });
    }

    /** Passes on how candidates compare with the policies that they may replace. */
    void candidates(Consumer<String> json) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(adminAddress + "/admin/candidates"))
                .timeout(SLOWEST)
                .build();
        var unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenAccept(response -> json.accept(response.body()));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(SLOWEST);
    }

    /** Stops sending, and waits for answers in flight. */
    @Override
    public void close() {
        isClosed = true;
        try {
            boolean unusedAll = underway.tryAcquire(MOST_UNDERWAY, PATIENCE_AT_END.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
