package dev.penstock;

import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.internal.Expect;
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
 * Asks again and again, without holding a thread, until a request is allowed and its turn has come, or time is up.
 *
 * <p>A certain wait is waited out; an estimated one (a slot may be released any moment) is looked at in between, at
 * growing distances.
 */
final class AwaitLoop {
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration WIDEST_LOOK = Duration.ofMillis(50);

    private final Clock clock;
    private final Scheduler scheduler;
    private final Engine engine;
    private final ReplyTimeouts inTime;

    AwaitLoop(Clock clock, Scheduler scheduler, Engine engine, ReplyTimeouts inTime) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.engine = engine;
        this.inTime = inTime;
    }

    CompletableFuture<Decision> until(
            Request request, Duration atMost, Function<Request, CompletionStage<Decision>> decide) {
        long micros = Expect.micros(atMost, Ask.LONGEST_WAIT, "atMost");
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        new Attempt(request, decide, clock.micros() + micros, answer).look(FIRST_LOOK);
        return answer;
    }

    /** Whether a leaky bucket's next turn comes after the time is up: asking later does not bring it forward. */
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
        private final long deadlineMicros;
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

        /** Asks once. Whatever fails on the way ends the waiting: nobody waits for an answer that cannot come. */
        void look(Duration widest) {
            if (answer.isDone()) {
                return;
            }
            try {
                Duration left = Duration.of(Math.max(0, deadlineMicros - clock.micros()), ChronoUnit.MICROS);
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
                scheduler.after(allowed.delay(), () -> renewAndDeliver(allowed));
            }
        }

        /** A permit's term counts from its turn; one that did not live to see it is no permit. */
        private void renewAndDeliver(Allowed allowed) {
            PermitHandle grant = allowed.permitHandle();
            if (grant == null) {
                deliver(allowed);
                return;
            }
            engine.renew(grant.id()).whenReady().whenComplete((renewed, failure) -> {
                if (failure == null && renewed.status() == Settlement.Status.RENEWED) {
                    deliver(allowed);
                } else {
                    Evidence evidence = Evidence.none(allowed, clock.micros());
                    answer.complete(new Denied(evidence, Denied.Reason.PERMIT_EXPIRED, FIRST_LOOK));
                    inTime.giveBack(allowed, request.id()); // nobody will have it, should it live after all
                }
            });
        }

        private void deliver(Allowed allowed) {
            if (!answer.complete(allowed)) {
                inTime.giveBack(allowed, request.id());
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
            scheduler.after(wait.isZero() ? FIRST_LOOK : wait, () -> look(next));
        }
    }

    private static Duration shortest(Duration x, Duration y) {
        return x.compareTo(y) < 0 ? x : y;
    }
}
