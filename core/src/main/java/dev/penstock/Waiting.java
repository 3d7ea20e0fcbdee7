package dev.penstock;

import dev.penstock.internal.Expect;
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
final class Waiting {
    private static final Duration FIRST_LOOK = Duration.ofMillis(1);
    private static final Duration WIDEST_LOOK = Duration.ofMillis(50);

    private final Clock clock;
    private final Timer timer;

    Waiting(Clock clock, Timer timer) {
        this.clock = clock;
        this.timer = timer;
    }

    CompletionStage<Decision> until(
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

        void look(Duration widest) {
            Duration left = Duration.of(Math.max(0, deadlineMicros - clock.micros()), ChronoUnit.MICROS);
            Duration accepted = request.maxDelay();
            Duration maxDelay = accepted != null && accepted.compareTo(left) < 0 ? accepted : left;
            decide.apply(request.maxDelay(maxDelay)).whenComplete((decision, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    react(decision, left, widest);
                }
            });
        }

        private void react(Decision decision, Duration left, Duration widest) {
            if (decision instanceof Allowed allowed) {
                if (allowed.delay().isZero()) {
                    answer.complete(decision);
                } else {
                    timer.after(allowed.delay(), () -> answer.complete(decision));
                }
                return;
            }
            if (isTurnTooLate(decision, left)) {
                answer.complete(decision);
                return;
            }
            Retry retry = ((Denied) decision).retry();
            Duration wait = retry.waitFor();
            if (wait != null && retry instanceof Retry.Estimate) {
                wait = wait.compareTo(widest) < 0 ? wait : widest;
            }
            if (wait == null || left.isZero() || wait.compareTo(left) > 0) {
                answer.complete(decision);
                return;
            }
            Duration twice = widest.multipliedBy(2);
            Duration next = twice.compareTo(WIDEST_LOOK) < 0 ? twice : WIDEST_LOOK;
            timer.after(wait.isZero() ? FIRST_LOOK : wait, () -> look(next));
        }
    }
}
