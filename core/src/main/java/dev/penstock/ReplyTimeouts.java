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
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the replies of an engine. A reply that does not come in time is answered by the policies' failure modes, and an
 * allowance that comes too late gives back what it holds.
 *
 * <p>Every wait has one deadline. An engine with a {@linkplain Engine#answersWithin deadline of its own}, such as a guard, keeps it
 * for decisions and permits. The deadline is kept here for all other engines, and for resets, which no guard answers by itself.
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
        await(reply, ask.effectiveTimeout(), awaited);
        return awaited.answer;
    }

    private <T> void await(Reply<T> reply, Duration atMost, AwaitedReply<T> awaited) {
        if (engine.answersWithin() != null) {
            reply.whenReady().whenComplete(awaited);
        } else {
            deadlines.await(reply, atMost, awaited);
        }
    }

    /** Returns the engine's answer, or unknown if it fails or does not come. */
    Settlement settlement(Supplier<Reply<Settlement>> call) {
        return orElse(call, Settlement.unknown());
    }

    /** Returns the engine's answer when it comes, or unknown if it fails or does not come. */
    CompletionStage<Settlement> settlementLater(Supplier<Reply<Settlement>> call) {
        try {
            return answer(call.get(), Settlement.unknown());
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
            return CompletableFuture.completedFuture(Settlement.unknown());
        }
    }

    /** Waits for a reset. A failure is logged. */
    void done(Supplier<Reply<Completion>> call, Ask ask) {
        try {
            doneOrFailed(call.get(), ask).toCompletableFuture().join();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
        }
    }

    /** Returns the reply, which fails if the engine does or does not answer in time. */
    CompletionStage<Completion> doneOrFailed(Reply<Completion> reply, Ask ask) {
        AwaitedAnswer<Completion> awaited = new AwaitedAnswer<>(null);
        deadlines.await(reply, ask.effectiveTimeout(), awaited);
        return awaited.answer;
    }

    private <T> T orElse(Supplier<Reply<T>> call, T otherwise) {
        try {
            Reply<T> reply = call.get();
            T ready = reply.ifReady();
            return ready != null ? ready : answer(reply, otherwise).join();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
            return otherwise;
        }
    }

    private <T> CompletableFuture<T> answer(Reply<T> reply, T otherwise) {
        AwaitedAnswer<T> awaited = new AwaitedAnswer<>(otherwise);
        await(reply, Ask.USUAL_TIMEOUT, awaited);
        return awaited.answer;
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

    /** An answer about a permit or a reset that is on its way. */
    private static final class AwaitedAnswer<T> extends AwaitedReply<T> {
        private final @Nullable T otherwise;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** @param otherwise the answer if there is no reply; null: a failure */
        AwaitedAnswer(@Nullable T otherwise) {
            this.otherwise = otherwise;
        }

        @Override
        protected void inTime(T reply) {
            answer.complete(reply);
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            if (otherwise != null) {
                answer.complete(otherwise);
            } else {
                answer.completeExceptionally(failure != null ? failure : new TimeoutException("no answer in time"));
            }
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
