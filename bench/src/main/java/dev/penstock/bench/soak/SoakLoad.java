package dev.penstock.bench.soak;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Sends requests of all kinds to the services in turn at a fixed rate, and counts the answers. Thread-safe. */
final class SoakLoad implements AutoCloseable {
    private static final long TICK_MICROS = 10_000;
    private static final int MOST_UNDERWAY = 500;
    private static final int USERS_AT_A_TIME = 20_000;
    private static final long USERS_CHANGE_SECONDS = 60;

    /** Much longer than any answer may take, to detect answers that never come. */
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "soak-load");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Integer> ports;
    private final int perSecond;
    private final long startNanos = System.nanoTime();
    private final Semaphore underway = new Semaphore(MOST_UNDERWAY);
    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private long sent;

    SoakLoad(List<Integer> ports, int perSecond) {
        this.ports = List.copyOf(ports);
        this.perSecond = perSecond;
    }

    void start() {
        var unused = clock.scheduleAtFixedRate(this::tick, 0, TICK_MICROS, TimeUnit.MICROSECONDS);
    }

    long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }

    private void tick() {
        long due = (System.nanoTime() - startNanos) / 1_000 * perSecond / 1_000_000;
        for (; sent < due; sent++) {
            if (underway.tryAcquire()) {
                var unused = send().whenComplete((done, failure) -> {
                    underway.release();
                    if (failure != null) {
                        error("load", failure.toString());
                    }
                });
            } else {
                count("not sent: too many are in flight");
            }
        }
    }

    private CompletableFuture<Void> send() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String at = "http://127.0.0.1:" + ports.get((int) (sent % ports.size()));
        return switch (random.nextInt(10)) {
            case 0, 1 -> gate(at);
            case 2 -> job(at, user());
            case 3 -> check(at, "log", user());
            case 4 -> check(at, "check", "hot");
            case 5 -> check(at, "check", "mallory");
            default -> check(at, "check", user());
        };
    }

    /** Returns one of the current users. All of them are replaced after a while. */
    private String user() {
        return "user-" + seconds() / USERS_CHANGE_SECONDS + "-"
                + ThreadLocalRandom.current().nextInt(USERS_AT_A_TIME);
    }

    private CompletableFuture<Void> gate(String at) {
        return answered(
                        "gate",
                        HttpRequest.newBuilder(URI.create(at + "/v1/gate"))
                                .header("x-forwarded-uri", "/soak/" + user()))
                .thenAccept(unused -> {});
    }

    private CompletableFuture<Void> check(String at, String kind, String user) {
        return answered(kind, post(at + "/v1/check", body(kind, user))).thenAccept(unused -> {});
    }

    /** Reserves, and settles if the request was allowed. */
    private CompletableFuture<Void> job(String at, String user) {
        return answered("job", post(at + "/v1/permits", body("job", user))).thenCompose(answer -> {
            int from = answer.indexOf("\"permit\":{\"id\":\"");
            if (from < 0) {
                return CompletableFuture.completedFuture(null);
            }
            String id = answer.substring(from + 16, answer.indexOf('"', from + 16));
            return answered(
                            "release",
                            HttpRequest.newBuilder(URI.create(at + "/v1/permits/" + id))
                                    .DELETE())
                    .thenAccept(unused -> {});
        });
    }

    private static String body(String kind, String user) {
        return "{\"attributes\":{\"kind\":\"" + kind + "\",\"user\":\"" + user + "\"}}";
    }

    private static HttpRequest.Builder post(String uri, String body) {
        return HttpRequest.newBuilder(URI.create(uri)).POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private CompletableFuture<String> answered(String kind, HttpRequest.Builder request) {
        return client.sendAsync(request.timeout(AT_MOST).build(), HttpResponse.BodyHandlers.ofString())
                .handle((response, failure) -> {
                    if (failure != null) {
                        error(kind, failure.toString());
                        return "";
                    }
                    count(kind, response);
                    return response.body();
                });
    }

    private void count(String kind, HttpResponse<String> response) {
        int status = response.statusCode();
        boolean isReleased = kind.equals("release");
        boolean isGood = status == 200 || (kind.equals("gate") && status == 429) || (isReleased && status == 202);
        if (isReleased && (status == 410 || status == 404)) {
            count("release: too late"); // the permit was lost with its store, or had expired
        } else if (!isGood) {
            error(kind, status + " " + response.body());
        } else if (isReleased) {
            count("release: done");
        } else {
            boolean allowed =
                    kind.equals("gate") ? status == 200 : response.body().contains("\"allowed\":true");
            String by = response.body().contains("\"decided_by\":\"fallback\"") ? ", by fallback" : "";
            count(kind + (allowed ? ": allowed" : ": denied") + by);
        }
    }

    private void error(String kind, String what) {
        firstError.compareAndSet(null, kind + ": " + what);
        count("error");
    }

    private void count(String outcome) {
        outcomes.computeIfAbsent(outcome, unused -> new LongAdder()).increment();
    }

    /** Returns the number of answers by outcome. */
    Map<String, Long> outcomes() {
        Map<String, Long> sums = new TreeMap<>();
        outcomes.forEach((outcome, count) -> sums.put(outcome, count.sum()));
        return sums;
    }

    @Nullable
    String firstError() {
        return firstError.get();
    }

    /** Stops sending and waits for requests in flight. */
    @Override
    public void close() {
        clock.shutdownNow();
        try {
            boolean unusedAll = underway.tryAcquire(MOST_UNDERWAY, AT_MOST.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
