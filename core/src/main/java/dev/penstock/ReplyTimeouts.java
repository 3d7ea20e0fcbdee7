package dev.penstock;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.internal.guard.AwaitedReply;
import dev.penstock.internal.guard.ReplyDeadlines;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for replies that come later, but never longer than agreed: what has not come then is answered by the policies'
 * failure modes, and an allowance that comes too late gives back what it holds.
 *
 * <p>An engine behind a guard answers in time by itself; this is for those that are not.
 */
final class ReplyTimeouts {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());

    private final Engine engine;
    private final Clock clock;
    private final ReplyDeadlines deadlines = new ReplyDeadlines(Clock.system(), Scheduler.system());

    ReplyTimeouts(Engine engine, Clock clock) {
        this.engine = engine;
        this.clock = clock;
    }

    Decision decision(Reply<Decision> reply, Ask ask) {
        Decision ready = reply.ifReady();
        return ready != null ? ready : decisionLater(reply, ask).join();
    }

    CompletableFuture<Decision> decisionLater(Reply<Decision> reply, Ask ask) {
        AwaitedDecision awaited = new AwaitedDecision(ask);
        deadlines.await(reply, patience(ask.timeout()), awaited);
        return awaited.answer;
    }

    /** An engine that answers in time by itself is given more than that: two who wait equally long would race. */
    private Duration patience(@Nullable Duration own) {
        Duration within = engine.answersWithin();
        if (within == null) {
            return own == null ? Ask.USUAL_TIMEOUT : own;
        }
        return (own == null ? within : own).plus(Ask.USUAL_TIMEOUT);
    }

    /** What the engine answers; unknown where it fails or is silent. */
    Settlement settlement(Supplier<Reply<Settlement>> call) {
        return orElse(call, Settlement.unknown());
    }

    /** The same without waiting for it. */
    CompletionStage<Settlement> settlementLater(Supplier<Reply<Settlement>> call) {
        try {
            return inTime(call.get(), Settlement.unknown());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
            return CompletableFuture.completedFuture(Settlement.unknown());
        }
    }

    void done(Supplier<Reply<Completion>> call) {
        orElse(call, Completion.DONE);
    }

    /** The reply itself, unless it takes too long. */
    CompletionStage<Completion> doneOrFailed(Reply<Completion> reply, Ask ask) {
        return reply.whenReady()
                .toCompletableFuture()
                .copy()
                .orTimeout(ask.effectiveTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    private <T> T orElse(Supplier<Reply<T>> call, T otherwise) {
        try {
            Reply<T> reply = call.get();
            T ready = reply.ifReady();
            return ready != null ? ready : inTime(reply, otherwise).join();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
            return otherwise;
        }
    }

    private <T> CompletableFuture<T> inTime(Reply<T> reply, T otherwise) {
        return reply.whenReady()
                .toCompletableFuture()
                .copy()
                .exceptionally(failure -> otherwise)
                .completeOnTimeout(otherwise, patience(null).toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Dropped where every charge is open; denied where one is not, since there is no share to decide it by here. */
    Decision byFailureModes(Ask ask) {
        Evidence evidence = Evidence.none(ask, clock.micros(), DecidedBy.FALLBACK);
        boolean open = ask.charges().stream()
                .allMatch(charge -> charge.settings().onStoreFailure().mode() == FailureMode.OPEN
                        || charge.settings().enforcement() == Enforcement.SHADOW);
        return open
                ? new Allowed(evidence, 0, null)
                : new Denied(evidence, Denied.Reason.STORE_FAILED, Ask.USUAL_TIMEOUT);
    }

    /**
     * Gives back what an allowance holds that nobody will use. Under an id it is left: it may be that of an earlier call, in
     * use, and who asks again is given the same.
     */
    void giveBack(Allowed unused, @Nullable String id) {
        PermitHandle grant = unused.permitHandle();
        if (grant != null && id == null) {
            engine.settle(grant.id(), unused.nothing());
        }
    }

    /** A decision that is on its way. */
    private final class AwaitedDecision extends AwaitedReply<Decision> {
        private final Ask ask;
        private final CompletableFuture<Decision> answer = new CompletableFuture<>();

        AwaitedDecision(Ask ask) {
            this.ask = ask;
        }

        @Override
        protected void inTime(Decision decision) {
            if (!answer.complete(decision)) {
                tooLate(decision); // the caller does not wait any more
            }
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            answer.complete(byFailureModes(ask));
        }

        @Override
        protected void tooLate(Decision decision) {
            if (decision instanceof Allowed late) {
                giveBack(late, ask.id());
            }
        }
    }
}
