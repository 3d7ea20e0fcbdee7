package dev.penstock.internal.guard;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Decision;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Terms;
import dev.penstock.Timer;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store a question that charges nothing, 25 times a second, for as long as there is doubt about it,
 * and four times a second while it does not answer at all. So a
 * node with little traffic gives up a dead store as quickly as a busy one, and a node with none finds out that the store is
 * back. Thread-safe.
 */
public final class StoreProbe {
    private static final long EVERY_MICROS = 40_000;

    /** While the store does not answer at all. */
    private static final long RARELY_MICROS = 250_000;

    private static final Ask QUESTION = question(Limit.tokenBucket(1, Duration.ofSeconds(1)));

    private final Engine store;
    private final CircuitBreaker breaker;
    private final StoreFailures failures;
    private final Deadlines deadlines;
    private final Duration deadline;
    private final Rounds rounds;

    public StoreProbe(
            Engine store,
            CircuitBreaker breaker,
            StoreFailures failures,
            Deadlines deadlines,
            Duration deadline,
            Timer timer,
            RandomGenerator random) {
        this.store = store;
        this.breaker = breaker;
        this.failures = failures;
        this.deadlines = deadlines;
        this.deadline = deadline;
        this.rounds = new Rounds(timer, random, this::round);
    }

    /** A question about an account that nobody uses. */
    static Ask question(Limit limit) {
        return Ask.of(Charge.of(Terms.of("probe", limit), Key.of("probe", "nobody"), 1))
                .peek();
    }

    /** Probes until there is no doubt any more. */
    public void begin() {
        rounds.begin(0);
    }

    public void stop() {
        rounds.stop();
    }

    private long round() {
        if (!breaker.watch()) {
            return Rounds.DONE;
        }
        probe();
        return breaker.isSilent() ? RARELY_MICROS : EVERY_MICROS;
    }

    private void probe() {
        Probe probe = new Probe();
        try {
            Reply<Decision> reply = store.decide(QUESTION.orTimeout(deadline));
            Decision ready = reply.ifReady();
            if (ready != null) {
                probe.accept(ready, null);
            } else {
                deadlines.await(reply, deadline, probe);
            }
        } catch (RuntimeException e) {
            probe.accept(null, e);
        }
    }

    private final class Probe extends Awaited<Decision> {
        @Override
        protected void inTime(Decision answer) {
            failures.replied();
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            failures.note(failure);
        }
    }
}
