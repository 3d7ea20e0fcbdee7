package dev.penstock.bench.soak.hostile;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import dev.penstock.bench.server.Wire;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Honest clients at a steady rate: checks, gate requests, permits with their end, and calls that are repeated under an
 * idempotency key. Each client has its own key and stays far below its limits. Thread-safe.
 */
final class HonestLoad implements AutoCloseable {
    private static final long TICK_MICROS = 10_000;
    private static final double RAMP_SECONDS = 10;
    private static final int MOST_UNDERWAY = 2_000;
    private static final int USERS = 5_000;
    private static final int KINDS = 10;
    private static final Pattern PERMIT = Pattern.compile("\"permit\":\\{\"id\":\"([^\"]+)\"");
    private static final String SETTLED = "{\"costs\":{\"requests\":1}}";

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "honest-load");
        thread.setDaemon(true);
        return thread;
    });
    private final ClientFactory factory =
            ClientFactory.builder().connectTimeout(HonestClient.PATIENCE).build();
    private final List<HonestClient> clients;
    private final int perSecond;
    private final HonestCounts counts = new HonestCounts();
    private final Semaphore underway = new Semaphore(MOST_UNDERWAY);
    private final long startNanos = System.nanoTime();
    private long sent;

    HonestLoad(List<Target> targets, int perSecond) {
        this.clients = targets.stream()
                .map(target -> new HonestClient(target.port(), factory))
                .toList();
        this.perSecond = perSecond;
    }

    void start() {
        var unused = clock.scheduleAtFixedRate(this::tick, 0, TICK_MICROS, TimeUnit.MICROSECONDS);
    }

    HonestCounts counts() {
        return counts;
    }

    double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void tick() {
        long due = due((System.nanoTime() - startNanos) / 1e9);
        for (; sent < due; sent++) {
            if (underway.tryAcquire()) {
                var unused = send(System.nanoTime()).whenComplete((done, failure) -> {
                    underway.release();
                    if (failure != null) {
                        counts.add(HonestOutcome.ERROR, failure.toString());
                    }
                });
            } else {
                counts.add(HonestOutcome.UNSENT, MOST_UNDERWAY + " requests have no answer");
            }
        }
    }

    /**
     * Returns the number of requests due. The rate rises slowly, because a sudden start of all clients would be a
     * separate test.
     */
    private long due(double seconds) {
        double full = seconds < RAMP_SECONDS ? seconds * seconds / (2 * RAMP_SECONDS) : seconds - RAMP_SECONDS / 2;
        return (long) (full * perSecond);
    }

    private CompletableFuture<Void> send(long sinceNanos) {
        long number = sent / KINDS;
        HonestClient client = clients.get((int) (number % clients.size()));
        HonestClient other = clients.get((int) ((number + 1) % clients.size()));
        String user = "honest-" + sent % USERS;
        String path = "/v1/check";
        return switch ((int) (sent % KINDS)) {
            case 0, 1 -> decided(client.post(Wire.HTTP1, path, body(HostilePolicies.CHECK, user)), sinceNanos);
            case 2 -> decided(client.post(Wire.HTTP2, path, body(HostilePolicies.CHECK, user)), sinceNanos);
            case 3 -> decided(client.post(Wire.HTTP2, path, body(HostilePolicies.WINDOW, user)), sinceNanos);
            case 4 -> noted("gRPC", client.envoy(HostilePolicies.CHECK, user), sinceNanos);
            case 5 -> gate(client.gate(Wire.HTTP1, HostilePolicies.GATE_ROUTE), sinceNanos);
            case 6 -> gate(client.gate(Wire.HTTP2, HostilePolicies.GATE_ROUTE), sinceNanos);
            case 7 -> job(client, Wire.HTTP1, user, sinceNanos);
            case 8 -> job(client, Wire.HTTP2, user, sinceNanos);
            default -> twice(client, other, user, sinceNanos);
        };
    }

    private static String body(String kind, String user) {
        return HttpRequests.body(kind, user);
    }

    private CompletableFuture<Void> decided(CompletableFuture<AggregatedHttpResponse> answer, long sinceNanos) {
        return answer.thenAccept(response -> decided(response, sinceNanos));
    }

    private HonestOutcome decided(AggregatedHttpResponse response, long sinceNanos) {
        String text = response.contentUtf8();
        HonestOutcome outcome = HonestOutcome.ofDecision(response.status().code(), text);
        note(outcome, response.status() + " " + text, sinceNanos);
        return outcome;
    }

    private CompletableFuture<Void> noted(String what, CompletableFuture<HonestOutcome> answer, long sinceNanos) {
        return answer.thenAccept(outcome -> note(outcome, what, sinceNanos));
    }

    private CompletableFuture<Void> gate(CompletableFuture<AggregatedHttpResponse> answer, long sinceNanos) {
        return answer.thenAccept(response -> {
            String text = response.contentUtf8();
            note(
                    HonestOutcome.ofGate(response.status().code(), text),
                    "gate: " + response.status() + " " + text,
                    sinceNanos);
        });
    }

    /** Takes a permit and ends it: over HTTP/1.1 it settles the cost, over HTTP/2 it releases. */
    private CompletableFuture<Void> job(HonestClient client, Wire wire, String user, long sinceNanos) {
        String body = HttpRequests.body(HostilePolicies.JOB, user, ",\"hold_ms\":30000");
        return client.post(wire, "/v1/permits", body).thenCompose(response -> {
            HonestOutcome outcome = decided(response, sinceNanos);
            if (outcome != HonestOutcome.ALLOWED) {
                return CompletableFuture.completedFuture(null);
            }
            Matcher permit = PERMIT.matcher(response.contentUtf8());
            if (!permit.find()) {
                throw new IllegalStateException("permit: none in " + response.contentUtf8());
            }
            String path = "/v1/permits/" + permit.group(1);
            long nowNanos = System.nanoTime();
            return (wire == Wire.HTTP1 ? client.post(wire, path + "/settle", SETTLED) : client.delete(wire, path))
                    .thenAccept(end -> {
                        String text = end.contentUtf8();
                        HonestOutcome ended =
                                HonestOutcome.ofSettlement(end.status().code(), text);
                        note(ended, "end of a permit: " + end.status() + " " + text, nowNanos);
                    });
        });
    }

    /** Sends a call under an idempotency key, then again to the other service. Both answers must be the same. */
    private CompletableFuture<Void> twice(HonestClient first, HonestClient second, String user, long sinceNanos) {
        String body = body(HostilePolicies.CHECK, user);
        String key = UUID.randomUUID().toString();
        return first.postOnce(Wire.HTTP2, "/v1/check", body, key).thenCompose(answer -> {
            if (decided(answer, sinceNanos) != HonestOutcome.ALLOWED) {
                return CompletableFuture.completedFuture(null);
            }
            long nowNanos = System.nanoTime();
            return second.postOnce(Wire.HTTP1, "/v1/check", body, key).thenAccept(again -> {
                boolean isSame = again.contentUtf8().equals(answer.contentUtf8());
                HonestOutcome outcome = HonestOutcome.ofDecision(again.status().code(), again.contentUtf8());
                boolean isChanged = outcome == HonestOutcome.ALLOWED && !isSame;
                note(
                        isChanged ? HonestOutcome.ERROR : outcome,
                        "sent again: " + again.contentUtf8() + " after " + answer.contentUtf8(),
                        nowNanos);
            });
        });
    }

    private void note(HonestOutcome outcome, String what, long sinceNanos) {
        counts.latency((System.nanoTime() - sinceNanos) / 1_000);
        counts.add(outcome, what);
    }

    /** Stops sending and waits for outstanding answers. */
    @Override
    public void close() {
        clock.shutdownNow();
        try {
            if (!underway.tryAcquire(MOST_UNDERWAY, 2 * HonestClient.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                counts.add(HonestOutcome.ERROR, "answers are missing at the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        factory.close();
    }
}
