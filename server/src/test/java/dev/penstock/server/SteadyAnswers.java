package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.MediaType;
import io.grpc.Status;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** Counts the answers to requests. Thread-safe. */
final class SteadyAnswers {
    private static final String ALLOWED = "allowed";

    /** A proper answer on a small or busy machine. */
    private static final String OVERLOADED = "overloaded";

    /**
     * Few enough that each asks more than once. Otherwise a fallback that starts new keys with one permit would go
     * unnoticed.
     */
    private static final int USERS = 200;

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<CompletableFuture<Void>> underway = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sent = new AtomicInteger();

    /** Returns a body of {@code /v1/check} for the next of many users. */
    String nextBody() {
        return body("check", nextUser());
    }

    String nextUser() {
        return "user-" + sent.getAndIncrement() % USERS;
    }

    static String body(String kind, String user) {
        return "{\"attributes\":{\"kind\":\"" + kind + "\",\"user\":\"" + user + "\"}}";
    }

    static CompletableFuture<String> check(WebClient client, String body) {
        return client.prepare()
                .post("/v1/check")
                .content(MediaType.JSON, body)
                .execute()
                .aggregate()
                .thenApply(SteadyAnswers::kind);
    }

    private static String kind(AggregatedHttpResponse response) {
        String body = response.contentUtf8();
        if (response.status().code() == 503 && body.contains("\"reason\":\"overloaded\"")) {
            return OVERLOADED;
        }
        if (response.status().code() != 200) {
            return response.status().code() + " " + body;
        }
        if (body.startsWith("{\"allowed\":true")) {
            return ALLOWED;
        }
        return "denied by " + after(body, "\"decided_by\":\"") + ", " + after(body, "\"reason\":\"");
    }

    private static String after(String text, String label) {
        int from = text.indexOf(label);
        return from < 0 ? "" : text.substring(from + label.length(), text.indexOf('"', from + label.length()));
    }

    /** Sends a request and counts its answer, or its failure. */
    CompletableFuture<Void> count(Supplier<CompletableFuture<String>> request) {
        CompletableFuture<Void> counted = request.get().handle((answer, failure) -> {
            counts.computeIfAbsent(failure == null ? answer : failure.toString(), unused -> new LongAdder())
                    .increment();
            return null;
        });
        underway.add(counted);
        return counted;
    }

    /** Waits for all answers. */
    SteadyAnswers settled() {
        CompletableFuture.allOf(underway.toArray(CompletableFuture[]::new)).join();
        return this;
    }

    long count(String kind) {
        return counts.getOrDefault(kind, new LongAdder()).sum();
    }

    long allowed() {
        return count(ALLOWED);
    }

    /** Fails if anyone was denied or any request failed. */
    void assertNoneDenied() {
        settled();
        assertThat(counts).as("answers by kind").containsKey(ALLOWED);
        assertThat(counts.keySet()).as("answers by kind").isSubsetOf(ALLOWED, OVERLOADED);
    }

    static String kind(Status failure) {
        return failure.getCode() == Status.Code.UNAVAILABLE ? OVERLOADED : failure.toString();
    }
}
