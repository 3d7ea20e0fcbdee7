package dev.penstock.testkit;

import dev.penstock.Clock;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that changes only when it is set, in either direction, and a scheduler that uses it.
 *
 * <p>When set forward, it stops at every task that falls due on the way, sets the time to that moment and runs the task
 * on the calling thread, outside of any lock. Setting it back delays no task: like a real timer, a task is due once the
 * clock has moved forward by its delay in total. A task without a delay runs the next time the clock is set, even if to
 * the same time.
 *
 * <p>Thread-safe. Reading never blocks.
 */
public final class ManualClock implements Clock, Scheduler {
    /** An ordinary time that is not on the boundary of any window: a Wednesday in 2025, 13:37:21.123457 UTC. */
    public static final Instant ORDINARY_MOMENT = Instant.parse("2025-06-18T13:37:21.123457Z");

    /**
     * A scheduled task.
     *
     * @param dueMicros in elapsed time
     */
    private record Task(long dueMicros, long number, Runnable action) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(dueMicros, other.dueMicros);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long scheduled;
    private volatile long nowMicros;

    /** The total time by which the clock was set forward. */
    private volatile long elapsedMicros;

    /** Creates a clock at {@link #ORDINARY_MOMENT}. */
    public ManualClock() {
        this(ORDINARY_MOMENT);
    }

    /** Creates a clock that shows the instant until it is moved. */
    public ManualClock(Instant start) {
        nowMicros = micros(start);
    }

    @Override
    public long micros() {
        return nowMicros;
    }

    @Override
    public long elapsedMicros() {
        return elapsedMicros;
    }

    /** Returns the current time of this clock. */
    public Instant now() {
        return Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS);
    }

    /** Moves the clock forward by a positive duration, back by a negative one. */
    public void advance(Duration by) {
        setMicros(nowMicros + by.toNanos() / 1_000);
    }

    /** Sets the clock to a time. */
    public void set(Instant moment) {
        setMicros(micros(moment));
    }

    /** Sets the clock to a time in microseconds since the epoch. */
    public void setMicros(long micros) {
        for (Task task = stepTo(micros); task != null; task = stepTo(micros)) {
            task.action.run();
        }
    }

    @Override
    public synchronized void after(Duration delay, Runnable task) {
        long delayMicros = Math.max(0, -Math.floorDiv(-delay.toNanos(), 1_000L));
        tasks.add(new Task(elapsedMicros + delayMicros, scheduled++, task));
    }

    /** Returns how many tasks are waiting. */
    public synchronized int waitingTasks() {
        return tasks.size();
    }

    /** Converts a time that a limit can announce. It may be further away than nanoseconds in a long can express. */
    private static long micros(Instant moment) {
        return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), 1_000_000L), moment.getNano() / 1_000);
    }

    /** Moves to the first task due by then and returns it, or moves the whole way and returns null. */
    private synchronized @Nullable Task stepTo(long micros) {
        long forwardMicros = Math.max(0, micros - nowMicros);
        Task first = tasks.peek();
        if (first == null || first.dueMicros > elapsedMicros + forwardMicros) {
            elapsedMicros += forwardMicros;
            nowMicros = micros;
            return null;
        }
        long stepMicros = Math.max(0, first.dueMicros - elapsedMicros);
        elapsedMicros += stepMicros;
        nowMicros = Math.min(nowMicros, micros) + stepMicros;
        return tasks.poll();
    }
}
