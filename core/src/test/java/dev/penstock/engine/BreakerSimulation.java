package dev.penstock.engine;

import dev.penstock.Decision;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.TripObserver;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A guard with its real breaker and probe, in virtual time, around a store of which a given share of round trips is
 * late. As with Redis, several decisions share a round trip at high rates, and only a few round trips are in flight at
 * once. So a store that stops answering gets far fewer round trips than one that answers.
 */
final class BreakerSimulation {
    static final Duration DEADLINE = Duration.ofMillis(100);
    private static final int MOST_TRIPS_A_SECOND = 2_000;
    private static final int MOST_UNDER_WAY = 4;
    private static final Duration FAST_TRIP = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final List<StoreOutageEvent> events = new ArrayList<>();
    private final List<Instant> trips = new ArrayList<>();
    private final SplittableRandom random;
    private final Guard guard;
    private final double decisionsPerSecond;
    private double lateShare;

    BreakerSimulation(double decisionsPerSecond, long seed) {
        this.decisionsPerSecond = decisionsPerSecond;
        this.random = new SplittableRandom(seed);
        this.guard = Guard.builder(new LateStore())
                .clock(clock)
                .scheduler(clock)
                .deadline(DEADLINE)
                .maxKeys(10)
                .listener(events::add)
                .build();
    }

    /** Makes this share of the round trips late from now on. A share of 1 is a dead store. */
    BreakerSimulation late(double share) {
        lateShare = share;
        return this;
    }

    /** Makes decisions at random moments for this time. */
    BreakerSimulation run(Duration time) {
        double tripsPerSecond = Math.min(decisionsPerSecond, MOST_TRIPS_A_SECOND);
        Instant end = clock.now().plus(time);
        Instant next = clock.now();
        while (true) {
            next = next.plus(gapMicros(tripsPerSecond), ChronoUnit.MICROS);
            if (next.isAfter(end)) {
                clock.set(end);
                return this;
            }
            clock.set(next);
            Reply<Decision> unused = guard.decide(GuardedStore.ask("ann"));
        }
    }

    private long gapMicros(double tripsPerSecond) {
        return (long) Math.ceil(-Math.log(1 - random.nextDouble()) * 1e6 / tripsPerSecond);
    }

    /** Returns how often the store was given up. */
    long openings() {
        return guard.health().fallbacks();
    }

    boolean isInFallback() {
        return guard.isInFallback();
    }

    /** Returns how long after the moment the store was given up, or null if it was not. */
    @Nullable
    Duration openedAfter(Instant moment) {
        return events.stream()
                .filter(event ->
                        event instanceof StoreOutageEvent.Entered && !event.at().isBefore(moment))
                .map(event -> Duration.between(moment, event.at()))
                .findFirst()
                .orElse(null);
    }

    /** Returns how long after the moment all decisions asked the store again, or null if they do not yet. */
    @Nullable
    Duration closedAfter(Instant moment) {
        return events.stream()
                .filter(event ->
                        event instanceof StoreOutageEvent.Left && !event.at().isBefore(moment))
                .map(event -> Duration.between(moment, event.at()))
                .findFirst()
                .orElse(null);
    }

    /** Returns when the first round trip after the moment was started. */
    Instant firstTripSince(Instant moment) {
        return trips.stream().filter(each -> each.isAfter(moment)).findFirst().orElseThrow();
    }

    Instant now() {
        return clock.now();
    }

    /** A store that reports its round trips like the Redis engine. */
    private final class LateStore extends ForwardingEngine {
        private @Nullable TripObserver observer;
        private int underWay;

        LateStore() {
            super(MemoryEngine.builder().clock(clock).build());
        }

        @Override
        public boolean observeTrips(Duration lateAfter, TripObserver other) {
            observer = other;
            return true;
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            if (underWay == MOST_UNDER_WAY) { // waits until its caller gives up
                return Reply.later(answer);
            }
            underWay++;
            trips.add(clock.now());
            TripObserver reports = GuardedStore.present(observer);
            boolean isLate = random.nextDouble() < lateShare;
            clock.after(isLate ? DEADLINE : FAST_TRIP, () -> {
                underWay--;
                if (isLate) {
                    reports.late("s");
                } else {
                    reports.answered("s");
                    answer.complete(GuardedStore.present(super.decide(ask).ifReady()));
                }
            });
            return Reply.later(answer);
        }
    }

    /** Prints the tables of ADR 13. */
    public static void main(String[] arguments) {
        double[] rates = {1, 5, 20, 100, 1_000, 100_000};
        double[] shares = {0.01, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1};
        System.out.println("openings per hour; rows: decisions/s, columns: share of late trips");
        row("", shares, share -> String.format(Locale.ROOT, "%.0f %%", 100 * share));
        for (double rate : rates) {
            Duration time = Duration.ofSeconds(rate > 100 ? 60 : 600);
            int seeds = rate > 100 ? 3 : 5;
            row(rate + "/s", shares, share -> {
                long openings = 0;
                for (int seed = 0; seed < seeds; seed++) {
                    openings += new BreakerSimulation(rate, seed)
                            .late(share)
                            .run(time)
                            .openings();
                }
                return String.format(Locale.ROOT, "%.1f", openings * 3600.0 / (seeds * time.toSeconds()));
            });
        }
        System.out.println("seconds to give up a dead store, and to return after a ten-second outage; worst of 50");
        for (double rate : rates) {
            Duration worstOpen = Duration.ZERO;
            Duration worstBack = Duration.ZERO;
            for (int seed = 0; seed < (rate > 100 ? 10 : 50); seed++) {
                BreakerSimulation run = new BreakerSimulation(rate, seed).run(Duration.ofSeconds(3));
                Instant death = run.now();
                run.late(1).run(Duration.ofSeconds(10));
                Instant back = run.now();
                run.late(0).run(Duration.ofSeconds(10));
                worstOpen = longer(worstOpen, run.openedAfter(death));
                worstBack = longer(worstBack, run.closedAfter(back));
            }
            System.out.println(rate + "/s: " + worstOpen + " " + worstBack);
        }
    }

    private static Duration longer(Duration one, @Nullable Duration other) {
        return other == null ? Duration.ofDays(1) : one.compareTo(other) > 0 ? one : other;
    }

    private static void row(String name, double[] shares, java.util.function.DoubleFunction<String> cell) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-12s", name));
        for (double share : shares) {
            line.append(String.format(Locale.ROOT, "%9s", cell.apply(share)));
        }
        System.out.println(line);
    }
}
