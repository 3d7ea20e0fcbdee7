package dev.penstock.internal.guard;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a shard of the store a question that charges nothing: 25 times a second while its health is in doubt, and four
 * times a second while it does not answer at all. So a node with little traffic detects a
 * dead store as quickly as a busy one, and a node without traffic notices that the store is back.
 * Thread-safe.
 */
final class StoreProbe {
    private static final long EVERY_MICROS = 40_000;

    /** The pause while the store does not answer at all. */
    private static final long RARELY_MICROS = 250_000;

    /** The question to a store in one place. */
    static final Ask QUESTION = question(Limit.tokenBucket(1, Duration.ofSeconds(1)));

    private final Engine store;
    private final CircuitBreaker breaker;
    private final StoreFailures failures;
    private final ReplyDeadlines deadlines;
    private final Duration deadline;
    private final Supplier<@Nullable Ask> question;
    private final Runnable vanished;
    private final JitteredRounds rounds;

    /**
     * Creates a probe of one shard.
     *
     * @param question returns the question to ask, or null if the shard no longer exists
     * @param vanished is run in that case, which ends the probing
     */
    StoreProbe(Shard.Setup setup, CircuitBreaker breaker, Supplier<@Nullable Ask> question, Runnable vanished) {
        this.store = setup.store();
        this.breaker = breaker;
        this.failures = setup.failures();
        this.deadlines = setup.deadlines();
        this.deadline = setup.deadline();
        this.question = question;
        this.vanished = vanished;
        this.rounds = new JitteredRounds(setup.scheduler(), setup.random(), this::round);
    }

    /** Returns a question about an account that nobody uses. */
    static Ask question(Limit limit) {
        return Ask.of(charge(limit)).peek();
    }

    /** Returns a question about an account that is on the shard of this colocation. */
    static Ask questionOn(String colocation) {
        return Ask.of(QUESTION.charge(0).colocation(colocation)).peek();
    }

    private static Charge charge(Limit limit) {
        return Charge.of(LimitSettings.of("probe", limit), Key.of("probe", "nobody"), 1);
    }

    /** Probes until the store's health is no longer in doubt. */
    void begin() {
        rounds.begin(0);
    }

    void stop() {
        rounds.stop();
    }

    private long round() {
        if (!breaker.watch()) {
            return JitteredRounds.DONE;
        }
        Ask next = question.get();
        if (next == null) {
            vanished.run();
            return JitteredRounds.DONE;
        }
        probe(next);
        return breaker.isSilent() ? RARELY_MICROS : EVERY_MICROS;
    }

    private void probe(Ask next) {
        Probe probe = new Probe();
        try {
            Reply<Decision> reply = store.decide(next.orTimeout(deadline));
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

    private final class Probe extends AwaitedReply<Decision> {
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
