package dev.penstock.server.internal.warmup;

import dev.penstock.Clock;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over one connection in a background thread, one step after the other, until it is closed. It keeps the
 * latencies of the last requests. Thread-safe.
 */
public final class RequestLoop implements AutoCloseable {
    /** The number of requests whose latency is kept. */
    public static final int KEPT = 200;

    private static final double PERCENTILE = 0.99;

    /**
     * One step of the loop.
     *
     * @param requests the requests, sent together
     * @param isTimed true if their latency counts
     * @param then returns follow-up requests for the body of the last response, or null for none
     */
    public record Step(
            List<OutgoingRequest> requests,
            boolean isTimed,
            @Nullable Continuation then) {
        /** Returns a step of one request whose latency counts. */
        public static Step timed(OutgoingRequest request) {
            return new Step(List.of(request), true, null);
        }

        /** Returns a step whose latency does not count. */
        public static Step untimed(List<OutgoingRequest> requests) {
            return new Step(requests, false, null);
        }
    }

    /** Chooses the requests to send after a response. */
    @FunctionalInterface
    public interface Continuation {
        /** Returns the follow-up requests, possibly none. */
        List<OutgoingRequest> after(byte[] response);
    }

    private final Clock clock = Clock.system();
    private final Connection connection;
    private final IntFunction<Step> steps;
    private final Thread thread;
    private final long[] latencyMicros = new long[KEPT];
    private long timed;
    private long sent;
    private volatile boolean isClosed;
    private volatile @Nullable IOException failure;

    private RequestLoop(String name, Connection connection, IntFunction<Step> steps) {
        this.connection = connection;
        this.steps = steps;
        this.thread = new Thread(this::run, "penstock-warm-up-" + name);
        thread.setDaemon(true);
    }

    /**
     * Starts a loop.
     *
     * @param name a part of the thread's name
     * @param connection the connection, closed with the loop
     * @param steps returns the step with the given number, from 0
     */
    public static RequestLoop start(String name, Connection connection, IntFunction<Step> steps) {
        RequestLoop loop = new RequestLoop(name, connection, steps);
        loop.thread.start();
        return loop;
    }

    private void run() {
        try {
            for (int i = 0; !isClosed; i++) {
                Step step = steps.apply(i & Integer.MAX_VALUE);
                long begin = clock.micros();
                byte[] response = connection.exchange(step.requests());
                note(step, clock.micros() - begin);
                Continuation then = step.then();
                if (then != null) {
                    byte[] unused = connection.exchange(then.after(response));
                }
            }
        } catch (IOException e) {
            failure = isClosed ? null : e;
        }
    }

    private synchronized void note(Step step, long micros) {
        sent += step.requests().size();
        if (step.isTimed()) {
            latencyMicros[(int) (timed++ % KEPT)] = micros;
        }
    }

    /** Returns the number of answered requests. */
    public synchronized long sent() {
        return sent;
    }

    /** Returns the number of requests whose latency counted. */
    public synchronized long timed() {
        return timed;
    }

    /** Returns the 99th percentile of the last {@value #KEPT} latencies, or zero if there are none. */
    public synchronized Duration percentile99() {
        int count = (int) Math.min(timed, KEPT);
        long[] sorted = Arrays.copyOf(latencyMicros, count);
        Arrays.sort(sorted);
        return count == 0
                ? Duration.ZERO
                : Duration.of(sorted[(int) Math.ceil(PERCENTILE * count) - 1], ChronoUnit.MICROS);
    }

    /** Returns why the loop ended before it was closed, or null if it did not. */
    public @Nullable IOException failure() {
        return failure;
    }

    @Override
    public void close() {
        isClosed = true;
        connection.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
