package dev.penstock.redis;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which answers wait for replicas.
 *
 * <p>WAIT tells of what its own connection did before, and holds up what comes after it. So one is under way at a time, and
 * the next is for all answers that came meanwhile. Thread-safe; nothing blocks.
 */
final class ReplicaLane {
    /**
     * What an answer waits for.
     *
     * @param course the lane's when the answer was asked for: on a connection made since, WAIT knows nothing of it
     */
    record Wish(int replicas, Duration patience, long course) {}

    private record Waiting(Wish wish, CompletableFuture<Void> done) {}

    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final StatefulRedisConnection<String, byte[]> connection;
    private final AtomicLong course = new AtomicLong();
    private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean underway = new AtomicBoolean();

    ReplicaLane(StatefulRedisConnection<String, byte[]> connection) {
        this.connection = connection;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> unused) {
                course.incrementAndGet();
            }
        });
    }

    /** Another number after every disconnection. */
    long course() {
        return course.get();
    }

    /** Done when the replicas have everything that this connection was answered until now; fails where they do not. */
    CompletionStage<Void> await(Wish wish) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(new Waiting(wish, done));
        askForWhatWaits();
        return done;
    }

    private void askForWhatWaits() {
        while (!waiting.isEmpty() && underway.compareAndSet(false, true)) {
            // One WAIT for each number of replicas, the smallest first: it is not held up by what takes more.
            TreeMap<Integer, List<Waiting>> together = new TreeMap<>();
            for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
                together.computeIfAbsent(next.wish.replicas, unused -> new ArrayList<>())
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

    private CompletableFuture<Void> ask(int replicas, List<Waiting> some) {
        long patienceMillis = some.stream()
                .mapToLong(each -> Math.max(1, each.wish.patience.toMillis()))
                .max()
                .orElse(1);
        CompletableFuture<Long> reached;
        try {
            reached = connection
                    .async()
                    .waitForReplication(replicas, patienceMillis)
                    .toCompletableFuture()
                    .copy();
        } catch (RuntimeException e) {
            reached = CompletableFuture.failedFuture(e);
        }
        return reached.orTimeout(patienceMillis + SILENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((count, failure) -> {
                    some.forEach(each -> tell(each, count, failure));
                    return null;
                });
    }

    private void tell(Waiting each, @Nullable Long count, @Nullable Throwable failure) {
        ReplicasMissing missing = missing(each.wish, count, failure);
        if (missing == null) {
            each.done.complete(null);
        } else {
            each.done.completeExceptionally(missing);
        }
    }

    private @Nullable ReplicasMissing missing(Wish wish, @Nullable Long count, @Nullable Throwable failure) {
        String expected = " (expected: " + wish.replicas + ")";
        if (failure != null) {
            Throwable cause = ScriptRunner.cause(failure);
            return new ReplicasMissing("replicas: unknown, " + cause.getMessage() + expected, cause);
        } else if (wish.course != course.get()) {
            return new ReplicasMissing("replicas: unknown, the connection broke" + expected, null);
        } else if (count == null || count < wish.replicas) {
            return new ReplicasMissing("replicas: " + count + " have the charge in time" + expected, null);
        }
        return null;
    }
}
