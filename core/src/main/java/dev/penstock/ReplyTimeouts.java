package dev.penstock;

import dev.penstock.Decision.DecidedBy;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.internal.SystemScheduler;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the replies of an engine. If a reply does not come in time, the policies' failure modes decide, and a
 * permit that arrives too late is given back. Thread-safe.
 *
 * <p>Every wait has one deadline. An engine with a {@linkplain Engine#answersWithin deadline of its own}, such as a
 * guard, enforces it for decisions and permits. For all other engines, and for resets, this class enforces it.
 *
 * <p>A blocking call is woken by the thread that ends its wait. Code that a caller attached to a stage runs {@linkplain
 * SystemScheduler#runCallback elsewhere}, so timers are never delayed by such code if it blocks.
 */
final class ReplyTimeouts {
    private static final System.Logger LOG = System.getLogger(Limiter.class.getName());

    /** Only wakes a caller that blocks. */
    private static final Executor WAKING = Runnable::run;

    private static final Executor CALLBACKS = SystemScheduler.INSTANCE::runCallback;

    private final Engine engine;
    private final Clock clock;
    private final boolean keepsDeadline;
    private final ReplyDeadlines deadlines;

    ReplyTimeouts(Engine engine, Clock clock, Scheduler scheduler) {
        this.deadlines = new ReplyDeadlines(scheduler);
        this.engine = engine;
        this.clock = clock;
        this.keepsDeadline = engine.answersWithin() != null;
    }

    Decision decision(Reply<Decision> reply, Ask ask) {
        Decision ready = reply.ifReady();
        return ready != null ? ready : decision(reply, ask, WAKING).join();
    }

    CompletableFuture<Decision> decisionLater(Reply<Decision> reply, Ask ask) {
        return decision(reply, ask, CALLBACKS);
    }

    private CompletableFuture<Decision> decision(Reply<Decision> reply, Ask ask, Executor answering) {
        AwaitedDecision awaited = new AwaitedDecision(ask, answering);
        await(reply, ask.effectiveTimeout(), awaited);
        return awaited.answer;
    }

    private <T> void await(Reply<T> reply, Duration atMost, AwaitedReply<T> awaited) {
        if (keepsDeadline) {
            reply.whenReady().whenComplete(awaited);
        } else {
            deadlines.await(reply, atMost, awaited);
        }
    }

    /** Returns the engine's answer, or {@code UNKNOWN} if it fails or does not arrive in time. */
    Settlement settlement(Supplier<Reply<Settlement>> call) {
        try {
            Reply<Settlement> reply = call.get();
            Settlement ready = reply.ifReady();
            return ready != null ? ready : settlement(reply, WAKING).join();
        } catch (RuntimeException e) {
            return unknown(e);
        }
    }

    /** Returns what {@link #settlement} returns, but never blocks. */
    CompletionStage<Settlement> settlementLater(Supplier<Reply<Settlement>> call) {
        try {
            return settlement(call.get(), CALLBACKS);
        } catch (RuntimeException e) {
            return unknown(e).whenReady();
        }
    }

    private CompletableFuture<Settlement> settlement(Reply<Settlement> reply, Executor answering) {
        AwaitedAnswer<Settlement> awaited = new AwaitedAnswer<>(Settlement.unknown(), answering);
        await(reply, Ask.USUAL_TIMEOUT, awaited);
        return awaited.answer;
    }

    private Settlement unknown(RuntimeException failure) {
        LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", failure);
        return Settlement.unknown();
    }

    /** Waits for a reset to end, successfully or not. */
    void done(Supplier<Reply<Completion>> call, Ask ask) {
        try {
            done(call.get(), ask, new AwaitedAnswer<>(Completion.DONE, WAKING)).join();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the engine " + engine.name() + " failed", e);
        }
    }

    /**
     * Returns a stage of the reset, which fails if the engine fails or does not answer in time.
     *
     * @param whenLate called if the engine answers after that
     */
    CompletionStage<Completion> doneOrFailed(Reply<Completion> reply, Ask ask, Runnable whenLate) {
        return done(reply, ask, new AwaitedAnswer<>(null, CALLBACKS) {
            @Override
            protected void tooLate(Completion late) {
                CALLBACKS.execute(whenLate);
            }
        });
    }

    private CompletableFuture<Completion> done(Reply<Completion> reply, Ask ask, AwaitedAnswer<Completion> awaited) {
        deadlines.await(reply, ask.effectiveTimeout(), awaited);
        return awaited.answer;
    }

    /**
     * Allows the ask if every charge fails open or is shadow. Otherwise denies it, because there are no local shares
     * here that could decide.
     */
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
     * Gives back what an unused allowance holds, unless the request has an id. With an id, the permit may belong to an
     * earlier call and be in use, and a retry under the same id receives it again.
     */
    void giveBack(Allowed unused, @Nullable String id) {
        PermitHandle grant = unused.permitHandle();
        if (grant != null && id == null) {
            engine.settle(grant.id(), unused.nothing());
        }
    }

    /** An answer about a permit or a reset that has not arrived yet. */
    private static class AwaitedAnswer<T> extends AwaitedReply<T> {
        private final @Nullable T otherwise;
        private final Executor answering;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** @param otherwise the answer if there is no reply; null to fail */
        AwaitedAnswer(@Nullable T otherwise, Executor answering) {
            this.otherwise = otherwise;
            this.answering = answering;
        }

        @Override
        protected void inTime(T reply) {
            answering.execute(() -> answer.complete(reply));
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            T instead = otherwise;
            if (instead != null) {
                inTime(instead);
            } else {
                answering.execute(() -> answer.completeExceptionally(
                        failure != null ? failure : new TimeoutException("the engine did not answer in time")));
            }
        }
    }

    /** A decision that has not arrived yet. */
    private final class AwaitedDecision extends AwaitedReply<Decision> {
        private final Ask ask;
        private final Executor answering;
        private final CompletableFuture<Decision> answer = new CompletableFuture<>();

        AwaitedDecision(Ask ask, Executor answering) {
            this.ask = ask;
            this.answering = answering;
        }

        @Override
        protected void inTime(Decision decision) {
            answering.execute(() -> {
                if (!answer.complete(decision)) {
                    tooLate(decision); // the caller no longer waits
                }
            });
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            inTime(byFailureModes(ask));
        }

        @Override
        protected void broken(Throwable failure) {
            answering.execute(() -> answer.completeExceptionally(failure));
        }

        @Override
        protected void tooLate(Decision decision) {
            if (decision instanceof Allowed late) {
                giveBack(late, ask.id());
            }
        }
    }
}
