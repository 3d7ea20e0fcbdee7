package dev.penstock;

import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.Lockout;
import dev.penstock.internal.Durations;
import dev.penstock.internal.guard.AwaitedReply;
import dev.penstock.internal.guard.ReplyDeadlines;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link BlockRule}s of charges: beside each that has one a look is asked for, in the same decision, at an account
 * ({@link Lockout}) of the same key; and where the charge itself did not fit, that account is struck.
 *
 * <p>A denial is answered once its strike is recorded, so that whoever has the answer is blocked everywhere; but no later
 * than half of the time that is left, and never otherwise because of a strike that failed. A decision tells of blocks only
 * where they stand in the way. Thread-safe. An ask without blocks costs only a check of its settings.
 */
final class DenialBlocks {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());

    private final Engine engine;
    private final Clock clock;
    private final ReplyDeadlines deadlines;

    DenialBlocks(Engine engine, Clock clock, Scheduler scheduler) {
        this.engine = engine;
        this.clock = clock;
        this.deadlines = new ReplyDeadlines(clock, scheduler);
    }

    /** The ask with a look for each of its blocks, after its charges; itself where it has none. */
    static Ask withLooks(Ask ask) {
        int size = ask.size();
        for (int i = 0; i < size; i++) {
            if (ask.charge(i).settings().block() != null) {
                return addLooks(ask);
            }
        }
        return ask;
    }

    private static Ask addLooks(Ask ask) {
        List<Charge> all = new ArrayList<>(ask.charges());
        for (Charge charge : ask.charges()) {
            if (charge.settings().block() != null) {
                all.add(onBlock(charge, 0));
            }
        }
        return ask.withCharges(all);
    }

    /** A charge on the account in which the block of a charge is kept. */
    private static Charge onBlock(Charge charge, long strikes) {
        return charge.on(charge.settings().ofBlock()).at(strikes);
    }

    /**
     * Decides an ask.
     *
     * @param looks the same with its looks
     */
    Reply<Decision> decide(Ask ask, Ask looks) {
        if (looks == ask) {
            return engine.decide(ask);
        }
        long sentMicros = clock.micros();
        Reply<Decision> reply = engine.decide(looks);
        Decision ready = reply.ifReady();
        return ready != null
                ? conclude(ask, ready, sentMicros)
                : Reply.later(reply.whenReady()
                        .thenCompose(
                                decision -> conclude(ask, decision, sentMicros).whenReady()));
    }

    Reply<Completion> reset(Ask ask) {
        return engine.reset(withLooks(ask));
    }

    private Reply<Decision> conclude(Ask ask, Decision decision, long sentMicros) {
        BlockEvidence seen = new BlockEvidence(ask, decision);
        List<Charge> strikes = new ArrayList<>();
        if (ask.purpose() == Ask.Purpose.DECIDE) {
            for (Charge exceeded : seen.toStrike()) {
                strikes.add(onBlock(exceeded, 1));
            }
        }
        return strikes.isEmpty() ? seen.decision() : strike(strikes, ask, seen, sentMicros);
    }

    private Reply<Decision> strike(List<Charge> strikes, Ask ask, BlockEvidence seen, long sentMicros) {
        Duration own = ask.timeout();
        Duration whole = ask.effectiveTimeout();
        long leftMicros = (Durations.micros(whole) - (clock.micros() - sentMicros)) / 2;
        Duration atMost = Duration.of(Math.max(1, leftMicros), ChronoUnit.MICROS);
        Ask asked = Ask.of(strikes);
        try {
            Reply<Decision> reply = engine.decide(own == null ? asked : asked.orTimeout(atMost));
            Decision ready = reply.ifReady();
            if (ready != null) {
                return seen.decisionAfter(ready);
            }
            AwaitedStrike awaited = new AwaitedStrike(seen);
            deadlines.await(reply, atMost, awaited);
            return Reply.later(awaited.answer);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a denial was not counted towards its block", e);
            return seen.decision();
        }
    }

    /** A strike that is on its way, and the decision that waits for it. */
    private static final class AwaitedStrike extends AwaitedReply<Decision> {
        private final BlockEvidence seen;
        private final CompletableFuture<Decision> answer = new CompletableFuture<>();

        AwaitedStrike(BlockEvidence seen) {
            this.seen = seen;
        }

        @Override
        protected void inTime(Decision struck) {
            answer.complete(seen.decisionAfter(struck));
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            answer.complete(seen.decision());
        }
    }
}
