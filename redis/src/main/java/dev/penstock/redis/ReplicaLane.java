package dev.penstock.redis;

import dev.penstock.internal.StageTimeouts;
import dev.penstock.spi.ReplicasMissing;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which answers wait for replicas.
 *
 * <p>WAIT covers only earlier commands of its own connection, and delays all later ones. So only one WAIT is in flight
 * at a time, and the next one serves all answers that arrived meanwhile. Thread-safe. No call blocks.
 */
final class ReplicaLane {
    /**
     * The replicas that an answer waits for.
     *
     * @param connectionNumber the lane's connectionNumber when the answer was requested. If the connection was lost since then, WAIT on the
     *     new connection does not cover the answer.
     */
    record AckRequest(int replicas, Duration timeout, long connectionNumber) {}

    private record PendingAck(AckRequest request, CompletableFuture<Void> done) {}

    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final StatefulRedisConnection<String, byte[]> connection;
    private final AtomicLong connectionNumber = new AtomicLong();
    private final ConcurrentLinkedQueue<PendingAck> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underway = new AtomicBoolean();

    ReplicaLane(StatefulRedisConnection<String, byte[]> connection) {
        this.connection = connection;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> unused) {
                connectionNumber.incrementAndGet();
            }
        });
    }

    /** Returns a number that changes with every disconnection. */
    long connectionNumber() {
        return connectionNumber.get();
    }

    /**
     * Completes when the replicas have everything that was answered on this connection until now. Fails if they do not
     * have it in time.
     */
    CompletionStage<Void> await(AckRequest request) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(new PendingAck(request, done));
        askForWhatWaits();
        return done;
    }

    private void askForWhatWaits() {
        while (!waiting.isEmpty() && underway.compareAndSet(false, true)) {
            // One WAIT for each number of replicas, the smallest first, so that it does not wait for a larger number.
            TreeMap<Integer, List<PendingAck>> together = new TreeMap<>();
            for (PendingAck next = waiting.poll(); next != null; next = waiting.poll()) {
                together.computeIfAbsent(next.request.replicas, unused -> new ArrayList<>())
                        .add(next);
            }
            List<CompletableFuture<Void>> asked = new ArrayList<>();
            together.forEach((replicas, some) -> asked.add(ask(replicas, some)));
            CompletableFuture<Void> unused = CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .whenComplete((done, failure) -> {
                        underway.set(false);
                        askForWhatWaits();
                    });
            if (!unused.isDone()) {
                return;
            }
        }
    }

    private CompletableFuture<Void> ask(int replicas, List<PendingAck> some) {
        long patienceMillis = some.stream()
                .mapToLong(each -> Math.max(1, each.request.timeout.toMillis()))
                .max()
                .orElse(1);
        CompletionStage<Long> reached;
        try {
            reached = connection.async().waitForReplication(replicas, patienceMillis);
        } catch (RuntimeException e) {
            reached = CompletableFuture.failedFuture(e);
        }
        return StageTimeouts.SYSTEM
                .within(SILENCE.plusMillis(patienceMillis), reached)
                .handle((count, failure) -> {
                    some.forEach(each -> answer(each, count, failure));
                    return null;
                });
    }

    private void answer(PendingAck each, @Nullable Long count, @Nullable Throwable failure) {
        ReplicasMissing missing = missing(each.request, count, failure);
        if (missing == null) {
            each.done.complete(null);
        } else {
            each.done.completeExceptionally(missing);
        }
    }

    private @Nullable ReplicasMissing missing(AckRequest request, @Nullable Long count, @Nullable Throwable failure) {
        String expected = " (expected: " + request.replicas + ")";
        if (failure != null) {
            Throwable cause = ScriptRunner.cause(failure);
            return new ReplicasMissing("replicas: unknown, " + cause.getMessage() + expected, cause);
        } else if (request.connectionNumber != connectionNumber.get()) {
            return new ReplicasMissing("replicas: unknown, the connection broke" + expected, null);
        } else if (count == null || count < request.replicas) {
            return new ReplicasMissing("replicas: " + count + " acknowledged the charge in time" + expected, null);
        }
        return null;
    }
}
