package dev.penstock;

import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.internal.Expect;
import dev.penstock.internal.SystemScheduler;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Repeats a request, without blocking a thread, until it is allowed and its turn has come, or the time is up.
 *
 * <p>If the retry time is exact, the request is repeated at that time. If it is an estimate, because a slot may be
 * released at any moment, the request is repeated at growing intervals.
 */
final class AwaitLoop {
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration WIDEST_LOOK = Duration.ofMillis(50);

    private final Clock clock;
    private final Scheduler scheduler;
    private final Engine engine;
    private final ReplyTimeouts timeouts;

    AwaitLoop(Clock clock, Scheduler scheduler, Engine engine, ReplyTimeouts timeouts) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.engine = engine;
        this.timeouts = timeouts;
    }

    CompletableFuture<Decision> until(
            Request request, Duration atMost, Function<Request, CompletionStage<Decision>> decide) {
        long micros = Expect.micros(atMost, Ask.LONGEST_WAIT, "atMost");
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        new Attempt(request, decide, scheduler.elapsedMicros() + micros, answer).look(FIRST_LOOK);
        return answer;
    }

    /** Schedules code that may run callers' code: matching policies, listeners, and stages attached to the answer. */
    private void after(Duration delay, Runnable task) {
        scheduler.after(delay, () -> SystemScheduler.INSTANCE.runCallback(task));
    }

    /**
     * Returns whether a leaky bucket denied the request and its next turn comes after the time is up. Repeating the
     * request would not bring that turn forward.
     */
    private static boolean isTurnTooLate(Decision denied, Duration left) {
        return denied.limits().stream()
                .anyMatch(status -> status.isExceeded()
                        && status.isEnforced()
                        && status.limit().algorithm() instanceof LeakyBucket
                        && status.resetAfter().compareTo(left) > 0);
    }

    private final class Attempt {
        private final Request request;
        private final Function<Request, CompletionStage<Decision>> decide;
        private final long deadlineMicros; // measured by the scheduler, which is never set back
        private final CompletableFuture<Decision> answer;

        Attempt(
                Request request,
                Function<Request, CompletionStage<Decision>> decide,
                long deadlineMicros,
                CompletableFuture<Decision> answer) {
            this.request = request;
            this.decide = decide;
            this.deadlineMicros = deadlineMicros;
            this.answer = answer;
        }

        /** Sends the request once. Any failure ends the wait, because no answer can come. */
        void look(Duration widest) {
            if (answer.isDone()) {
                return;
            }
            try {
                Duration left = Duration.of(Math.max(0, deadlineMicros - scheduler.elapsedMicros()), ChronoUnit.MICROS);
                Duration accepted = request.maxDelay();
                Duration maxDelay = accepted == null ? left : shortest(accepted, left);
                decide.apply(request.maxDelay(maxDelay)).whenComplete((decision, failure) -> {
                    if (failure != null) {
                        answer.completeExceptionally(failure);
                    } else {
                        react(decision, left, widest);
                    }
                });
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        }

        private void react(Decision decision, Duration left, Duration widest) {
            try {
                if (decision instanceof Allowed allowed) {
                    deliverInTurn(allowed);
                } else {
                    lookAgainOrGiveUp((Denied) decision, left, widest);
                }
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        }

        private void deliverInTurn(Allowed allowed) {
            if (allowed.delay().isZero()) {
                deliver(allowed);
            } else {
                after(allowed.delay(), () -> renewAndDeliver(allowed));
            }
        }

        /**
         * Renews the permit, so that its full time counts from the turn, and delivers it. If the permit expired before
         * its turn, delivers a denial.
         */
        private void renewAndDeliver(Allowed allowed) {
            PermitHandle grant = allowed.permitHandle();
            if (grant == null) {
                deliver(allowed);
                return;
            }
            timeouts.settlementLater(() -> engine.renew(grant.id())).whenComplete((renewed, failure) -> {
                if (failure == null && renewed.status() == Settlement.Status.RENEWED) {
                    deliver(allowed);
                } else {
                    Evidence evidence = Evidence.none(allowed, clock.micros());
                    answer.complete(new Denied(evidence, Denied.Reason.PERMIT_EXPIRED, FIRST_LOOK));
                    timeouts.giveBack(allowed, request.id()); // nobody will use it
                }
            });
        }

        private void deliver(Allowed allowed) {
            if (!answer.complete(allowed)) {
                timeouts.giveBack(allowed, request.id());
            }
        }

        private void lookAgainOrGiveUp(Denied denied, Duration left, Duration widest) {
            Retry retry = denied.retry();
            Duration wait = retry.waitFor();
            if (wait == null || left.isZero() || isTurnTooLate(denied, left)) {
                answer.complete(denied);
                return;
            }
            if (retry instanceof Retry.Estimate) {
                wait = shortest(shortest(wait, widest), left);
            }
            if (wait.compareTo(left) > 0) {
                answer.complete(denied);
                return;
            }
            Duration next = shortest(widest.multipliedBy(2), WIDEST_LOOK);
            after(wait.isZero() ? FIRST_LOOK : wait, () -> look(next));
        }
    }

    private static Duration shortest(Duration x, Duration y) {
        return x.compareTo(y) < 0 ? x : y;
    }
}
