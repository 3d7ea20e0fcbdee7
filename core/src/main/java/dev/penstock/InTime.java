package dev.penstock;

import dev.penstock.spi.Done;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for replies that come later, but never longer than agreed: what has not come then is answered by the policies'
 * failure modes, and an allowance that comes too late gives back what it holds.
 *
 * <p>An engine behind a guard answers in time by itself; this is for those that are not.
 */
final class InTime {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(1);

    private final Engine engine;
    private final Clock clock;

    InTime(Engine engine, Clock clock) {
        this.engine = engine;
        this.clock = clock;
    }

    Decision decision(Reply<Decision> reply, Ask ask) {
        Decision ready = reply.ifReady();
        return ready != null ? ready : decisionLater(reply, ask).join();
    }

    CompletableFuture<Decision> decisionLater(Reply<Decision> reply, Ask ask) {
        CompletableFuture<Decision> store = reply.whenReady().toCompletableFuture();
        CompletableFuture<Decision> answer =
                store.handle((decision, failure) -> failure == null ? decision : byFailureModes(ask));
        Duration timeout = ask.timeout() == null ? DEFAULT_TIMEOUT : ask.timeout();
        // What times out goes on in a pool: nothing of the caller's may run on the JDK's only timer thread.
        CompletableFuture<Decision> inTime = answer.copy()
                .completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS)
                .thenCompose(decision -> decision == null
                        ? CompletableFuture.supplyAsync(() -> byFailureModes(ask))
                        : CompletableFuture.completedFuture(decision));
        return inTime.whenComplete((given, never) -> giveBackIfLate(store, given));
    }

    Settlement settlement(Reply<Settlement> reply) {
        Settlement ready = reply.ifReady();
        return ready != null ? ready : orElse(reply, Settlement.unknown());
    }

    void done(Reply<Done> reply) {
        if (reply.ifReady() == null) {
            orElse(reply, Done.DONE);
        }
    }

    private static <T> T orElse(Reply<T> reply, T otherwise) {
        return reply.whenReady()
                .toCompletableFuture()
                .copy()
                .exceptionally(failure -> otherwise)
                .completeOnTimeout(otherwise, DEFAULT_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    /** Dropped where every charge is open; denied where one is not, since there is no share to decide it by here. */
    Decision byFailureModes(Ask ask) {
        Decision.Evidence evidence = Decision.Evidence.none(ask, clock.micros(), DecidedBy.FALLBACK);
        boolean open = ask.charges().stream()
                .allMatch(charge -> charge.terms().onStoreFailure() == FailureMode.OPEN
                        || charge.terms().effect() == Effect.OBSERVE);
        return open
                ? new Allowed(evidence, 0, null)
                : new Denied(evidence, Denied.Reason.STORE_FAILED, DEFAULT_TIMEOUT);
    }

    private void giveBackIfLate(CompletableFuture<Decision> store, @Nullable Decision given) {
        CompletableFuture<Void> unused = store.thenAccept(late -> {
            if (late != given && late instanceof Allowed allowed) {
                giveBack(allowed);
            }
        });
    }

    /** Gives back what an allowance holds that nobody will use. */
    void giveBack(Allowed unused) {
        Grant grant = unused.grant();
        if (grant != null) {
            engine.settle(grant.id(), unused.ask().nothing());
        }
    }
}
