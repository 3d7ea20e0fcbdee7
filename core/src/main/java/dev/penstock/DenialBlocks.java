package dev.penstock;

import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.algorithm.Lockout;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.Durations;
import dev.penstock.internal.ReplyDeadlines;
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
 * Enforces the {@link BlockRule}s of charges. For each charge with a block rule, the same ask also checks a {@link
 * Lockout} account of the same key (a look). If the charge did not fit, a second ask records a strike on that account.
 *
 * <p>A denial is returned after its strike is recorded, so that the key is already blocked on every node when the
 * caller sees the denial. The wait for the strike takes at most half of the remaining time. If the request has no
 * timeout, an engine with a {@linkplain Engine#answersWithin deadline of its own} applies that deadline instead. A
 * strike that fails changes no answer. A decision reports a block only if it denies the request. Thread-safe. An ask
 * without blocks costs only a check of its settings.
 */
final class DenialBlocks {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());

    private final Engine engine;
    private final Scheduler scheduler;
    private final ReplyDeadlines deadlines;
    private final boolean keepsDeadline;

    DenialBlocks(Engine engine, Scheduler scheduler) {
        this.engine = engine;
        this.scheduler = scheduler;
        this.deadlines = new ReplyDeadlines(scheduler);
        this.keepsDeadline = engine.answersWithin() != null;
    }

    /** Returns the ask with one look per block, added after its charges; returns the ask itself if it has no block. */
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

    /** Returns a charge on the account that keeps the block of {@code charge}. */
    private static Charge onBlock(Charge charge, long strikes) {
        return charge.on(charge.settings().ofBlock()).at(strikes);
    }

    /**
     * Decides an ask.
     *
     * @param looks the ask with its looks
     */
    Reply<Decision> decide(Ask ask, Ask looks) {
        if (looks == ask) {
            return engine.decide(ask);
        }
        long sentMicros = scheduler.elapsedMicros();
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
        long leftMicros = (Durations.micros(whole) - (scheduler.elapsedMicros() - sentMicros)) / 2;
        Duration atMost = Duration.of(Math.max(1, leftMicros), ChronoUnit.MICROS);
        Ask asked = Ask.of(strikes);
        try {
            Reply<Decision> reply = engine.decide(own == null ? asked : asked.orTimeout(atMost));
            Decision ready = reply.ifReady();
            if (ready != null) {
                return seen.decisionAfter(ready);
            }
            AwaitedStrike awaited = new AwaitedStrike(seen);
            if (keepsDeadline) {
                reply.whenReady().whenComplete(awaited);
            } else {
                deadlines.await(reply, atMost, awaited);
            }
            return Reply.later(awaited.answer);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a denial was not counted toward its block", e);
            return seen.decision();
        }
    }

    /** The decision that waits for a strike to be recorded. */
    private static final class AwaitedStrike extends AwaitedReply<Decision> {
        private final BlockEvidence seen;
        private final Decision unstruck;
        private final CompletableFuture<Decision> answer = new CompletableFuture<>();

        AwaitedStrike(BlockEvidence seen) {
            this.seen = seen;
            this.unstruck = seen.decision();
        }

        @Override
        protected void inTime(Decision struck) {
            answer.complete(seen.decisionAfter(struck));
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            answer.complete(unstruck);
        }

        @Override
        protected void broken(Throwable failure) {
            answer.complete(unstruck);
        }
    }
}
