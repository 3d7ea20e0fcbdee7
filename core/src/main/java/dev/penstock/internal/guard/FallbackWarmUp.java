package dev.penstock.internal.guard;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that never answers, and requests of all kinds for a guard around it. They run the guard's code before the
 * first real outage.
 */
public final class FallbackWarmUp implements Engine {
    /** The number of guards that receive the requests, one after the other. */
    private static final int ROUNDS = 20;

    /** The deadline of these guards. */
    public static final Duration DEADLINE = Duration.ofMillis(10);

    /** Runs tasks that are due by the deadline at once, and never runs any other task. */
    public static final Scheduler IMPATIENT = (delay, task) -> {
        if (delay.compareTo(DEADLINE) <= 0) {
            task.run();
        }
    };

    private static final int REQUESTS = 8;

    /** Sends the requests of each round to a new guard. */
    public static void playAll(Supplier<? extends Engine> guards) {
        for (int i = 0; i < ROUNDS; i++) {
            try (Engine guard = guards.get()) {
                play(guard);
            }
        }
    }

    private static void play(Engine guard) {
        List<Ask> asks = asks();
        for (int i = 0; i < REQUESTS; i++) {
            for (Ask ask : asks) {
                Reply<Decision> unused = guard.decide(ask);
            }
        }
    }

    private static List<Ask> asks() {
        Duration second = Duration.ofSeconds(1);
        Charge[] charges = {
            charge(Limit.tokenBucket(100, second)),
            charge(Limit.fixedWindow(100, second)),
            charge(Limit.slidingWindow(100, second)),
            charge(Limit.slidingLog(100, second)),
            charge(Limit.leakyBucket(100, second, 100)),
            charge(Limit.concurrency(100, second))
        };
        List<Ask> asks = new ArrayList<>();
        for (Charge charge : charges) {
            asks.add(Ask.of(charge));
        }
        asks.add(Ask.of(charges));
        asks.add(Ask.of(charges).peek());
        asks.add(Ask.of(charges).hold(Hold.of(second)));
        return asks;
    }

    private static Charge charge(Limit limit) {
        long cost = limit.algorithm() instanceof Concurrency ? 1 : 2;
        return Charge.of(LimitSettings.of("rehearsal", limit), Key.of("rehearsal", "nobody"), cost);
    }

    @Override
    public String name() {
        return "rehearsal";
    }

    @Override
    public Reply<Decision> decide(Ask ask) {
        return Reply.later(new CompletableFuture<>());
    }

    @Override
    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
        return Settlement.unknown();
    }

    @Override
    public Reply<Settlement> renew(String permitId) {
        return Settlement.unknown();
    }

    @Override
    public Reply<Completion> reset(Ask ask) {
        return Completion.DONE;
    }

    @Override
    public Reply<Completion> resetCounters(Set<String> counters) {
        return Completion.DONE;
    }

    @Override
    public void close() {}
}
