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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the service over HTTP, as an application would, and works for a while where it got a slot. Thread-safe; nobody waits
 * for an answer.
 */
final class ServiceClient implements AutoCloseable {
    private static final int MOST_UNDERWAY = 200;
    private static final Duration SLOWEST = Duration.ofSeconds(10);
    private static final Duration PATIENCE_AT_END = Duration.ofSeconds(2);
    private static final long SHORTEST_WORK_MILLIS = 1_000;
    private static final long LONGEST_WORK_MILLIS = 4_000;
    private static final Pattern PERMIT = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore underway = new Semaphore(MOST_UNDERWAY);
    private final String address;
    private final Summary summary;
    private volatile boolean isClosed;

    ServiceClient(int port, Summary summary) {
        this.address = "http://127.0.0.1:" + port;
        this.summary = summary;
    }

    /** Does nothing while too many are under way. */
    void ask(String name, Question question) {
        if (isClosed || !underway.tryAcquire()) {
            return;
        }
        HttpRequest request = to("/v1/check")
                .POST(HttpRequest.BodyPublishers.ofString(question.json()))
                .build();
        var unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .whenComplete((response, failure) -> {
                    underway.release();
                    if (failure != null) {
                        summary.unanswered(failure.toString());
                    } else {
                        answered(name, response);
                    }
                });
    }

    private void answered(String name, HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            summary.unanswered(response.statusCode() + " " + response.body());
            return;
        }
        summary.answered(name, response.body().contains("\"allowed\":true"));
        Matcher permit = PERMIT.matcher(response.body());
        if (permit.find()) {
            String id = permit.group(1);
            long workMillis = ThreadLocalRandom.current().nextLong(SHORTEST_WORK_MILLIS, LONGEST_WORK_MILLIS);
            Scheduler.system().after(Duration.ofMillis(workMillis), () -> release(id));
        }
    }

    /** Whether that comes in time does not matter: the store may have forgotten the permit meanwhile. */
    private void release(String id) {
        if (!isClosed) {
            var unused =
                    http.sendAsync(to("/v1/permits/" + id).DELETE().build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(SLOWEST);
    }

    /** Asks no more, and waits for answers that are under way. */
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
