package dev.penstock.redis.faults;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.engine.Guard;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.PolicySet;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One node of an application, and threads that send requests to it as long as the load lasts. */
final class GuardedNode implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMillis(100);
    private static final int THREADS = 2;
    private static final long PAUSE_NANOS = 300_000;

    private final Limiter limiter;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder allowed = new LongAdder();
    private final LongAdder byStore = new LongAdder();
    private final LongAdder byFallback = new LongAdder();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private volatile boolean stopped;

    GuardedNode(String uri, int nodes, PolicySet policies, ClientResources resources) {
        RedisEngine redis = RedisEngine.builder(uri).resources(resources).build();
        this.limiter = Limiter.builder(policies)
                .engine(Guard.builder(redis).deadline(DEADLINE).nodes(nodes).build())
                .clock(Clock.system())
                .build();
    }

    void askOnce(Request request) {
        note(limiter.decide(request));
    }

    /** Sends requests from several threads until the node is stopped. */
    void ask(Request request) {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> askUntilStopped(request), "load");
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    private void askUntilStopped(Request request) {
        try {
            while (!stopped) {
                note(limiter.decide(request));
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (Throwable e) {
            thrown.compareAndSet(null, e);
        }
    }

    private void note(Decision decision) {
        (decision.decidedBy() == DecidedBy.FALLBACK ? byFallback : byStore).increment();
        if (decision.isAllowed()) {
            allowed.increment();
        }
    }

    long allowed() {
        return allowed.sum();
    }

    long byStore() {
        return byStore.sum();
    }

    long byFallback() {
        return byFallback.sum();
    }

    @Nullable
    Throwable thrown() {
        return thrown.get();
    }

    /** Stops sending requests, and returns whether every caller got its answer. */
    boolean stop() throws InterruptedException {
        stopped = true;
        boolean all = true;
        for (Thread thread : threads) {
            thread.join(Duration.ofSeconds(10).toMillis());
            all &= !thread.isAlive();
        }
        return all;
    }

    @Override
    public void close() {
        limiter.close();
    }
}
