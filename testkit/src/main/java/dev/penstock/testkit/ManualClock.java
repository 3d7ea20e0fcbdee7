package dev.penstock.testkit;

import dev.penstock.Clock;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is turned, in either direction, and the scheduler that goes by it.
 *
 * <p>Turned forward, it stops at every task that falls due on the way, sets the time to that moment and runs the task on
 * the turning thread, outside of any lock. Turned back it runs nothing: what was due at a moment still is. A task
 * without a delay runs at the next turn, be it by nothing.
 *
 * <p>Thread-safe. Reading never blocks.
 */
public final class ManualClock implements Clock, Scheduler {
    /** An ordinary moment on no boundary of any window: a Wednesday in 2025, 13:37:21.123457 UTC. */
    public static final Instant ORDINARY_MOMENT = Instant.parse("2025-06-18T13:37:21.123457Z");

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

    /** A clock at {@link #ORDINARY_MOMENT}. */
    public ManualClock() {
        this(ORDINARY_MOMENT);
    }

    public ManualClock(Instant start) {
        nowMicros = micros(start);
    }

    @Override
    public long micros() {
        return nowMicros;
    }

    public Instant now() {
        return Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS);
    }

    /** Turns the clock forward by a positive duration, back by a negative one. */
    public void advance(Duration by) {
        setMicros(nowMicros + by.toNanos() / 1_000);
    }

    /** Turns the clock to a moment. */
    public void set(Instant moment) {
        setMicros(micros(moment));
    }

    /** Turns the clock to a moment in microseconds since the epoch. */
    public void setMicros(long micros) {
        for (Task task = stepTo(micros); task != null; task = stepTo(micros)) {
            task.action.run();
        }
    }

    @Override
    public synchronized void after(Duration delay, Runnable task) {
        long delayMicros = Math.max(0, -Math.floorDiv(-delay.toNanos(), 1_000L));
        tasks.add(new Task(nowMicros + delayMicros, scheduled++, task));
    }

    /** How many tasks wait for their time. */
    public synchronized int waitingTasks() {
        return tasks.size();
    }

    /** Any time that a limit can announce, also those further off than a long of nanoseconds. */
    private static long micros(Instant moment) {
        return Math.addExact(Math.multiplyExact(moment.getEpochSecond(), 1_000_000L), moment.getNano() / 1_000);
    }

    /** Goes to the first task due until then and answers it, or goes all the way and answers null. */
    private synchronized @Nullable Task stepTo(long micros) {
        Task first = tasks.peek();
        if (first == null || first.dueMicros > micros) {
            nowMicros = micros;
            return null;
        }
        nowMicros = Math.max(nowMicros, first.dueMicros);
        return tasks.poll();
    }
}
