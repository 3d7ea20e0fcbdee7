package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.internal.guard.CircuitBreaker.Permission;
import dev.penstock.internal.guard.Fallback;
import dev.penstock.internal.guard.LocalShares;
import dev.penstock.internal.guard.LocalShares.Sent;
import dev.penstock.internal.guard.OutageReplay;
import dev.penstock.internal.guard.PermitOperation;
import dev.penstock.internal.guard.ShardTable;
import dev.penstock.internal.guard.StoreDeadline;
import dev.penstock.internal.guard.StoreFailures;
import dev.penstock.internal.guard.StorePermits;
import dev.penstock.internal.guard.StoreReports;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for decisions. Answers instead of the store if the breaker is open, if the store
 * is late or fails, or if this node is overloaded. Thread-safe.
 */
final class StoreDecisions {
    /** The objects that judge the health of the store. */
    record HealthChecks(ShardTable shards, StoreFailures failures, StoreDeadline deadline) {}

    private static final System.Logger LOG = System.getLogger(Guard.class.getName());
    private static final Duration OVERLOADED_RETRY = Duration.ofSeconds(1);

    private final Engine store;
    private final Fallback fallback;
    private final OutageReplay posting;
    private final StorePermits permits;
    private final ShardTable shards;
    private final StoreFailures failures;
    private final StoreDeadline deadline;
    private final StoreReports words;
    private final LocalShares local;
    private final ReplyDeadlines deadlines;
    private final Clock clock;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param maxWaiting the number of decisions that may wait for the store at a time */
    StoreDecisions(
            Engine store,
            Fallback fallback,
            OutageReplay posting,
            StorePermits permits,
            HealthChecks judges,
            StoreReports words,
            LocalShares local,
            ReplyDeadlines deadlines,
            Clock clock,
            int maxWaiting) {
        this.store = store;
        this.fallback = fallback;
        this.posting = posting;
        this.permits = permits;
        this.shards = judges.shards;
        this.failures = judges.failures;
        this.deadline = judges.deadline;
        this.words = words;
        this.local = local;
        this.deadlines = deadlines;
        this.clock = clock;
        this.maxWaiting = maxWaiting;
    }

    /** Returns the number of decisions that are waiting for the store. */
    int waiting() {
        return waiting.get();
    }

    /** Returns whether the maximum number of decisions wait for the store. */
    boolean isFull() {
        return waiting.get() >= maxWaiting;
    }

    Reply<Decision> decide(Ask ask) {
        if (!shards.areAllClosed() && shards.enter(ask, Fallback.companyOf(ask)) == Permission.REFUSED) {
            return withoutStore(ask);
        }
        if (isFull()) {
            return deadline.wasStoreToBlame(ask) ? fallback.decide(ask, Sent.NO) : overloaded(ask);
        }
        StoreDeadline.Wait wait = deadline.begin(ask);
        try {
            posting.before(ask);
            Reply<Decision> reply = store.decide(ask.orTimeout(timeoutOf(ask)));
            Decision ready = reply.ifReady();
            if (ready == null) {
                return inTime(reply, ask, wait);
            }
            heard(ask, ready);
            return ready;
        } catch (Throwable e) {
            return failed(ask, wait, e);
        }
    }

    private Decision withoutStore(Ask ask) {
        Decision decision = fallback.decide(ask, Sent.NO);
        if (ask.size() > 1 && shards.isPartlyAway()) {
            posting.begin(0); // the shards that do answer need not wait for the one that does not
        }
        return decision;
    }

    /**
     * Returns how long the store may keep an ask that has no timeout. Waiting for replicas takes no longer than the
     * deadline.
     */
    private Duration timeoutOf(Ask ask) {
        return ask.replicas() > 0 ? deadline.deadline() : deadline.maxWait();
    }

    private Reply<Decision> inTime(Reply<Decision> reply, Ask ask, StoreDeadline.Wait wait) {
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        Duration own = ask.timeout();
        AwaitedDecision awaited = new AwaitedDecision(ask, wait, answer);
        waiting.incrementAndGet();
        try {
            deadlines.await(reply, own == null ? deadline.deadline() : own, awaited);
        } catch (Throwable e) {
            awaited.accept(null, e);
        }
        return Reply.later(answer);
    }

    /** Denies the ask, unless all its charges are shadow charges, which never deny. */
    private Decision overloaded(Ask ask) {
        boolean isEnforced = ask.charges().stream().anyMatch(Charge::isEnforced);
        return isEnforced
                ? Denied.overloaded(ask, clock.micros(), OVERLOADED_RETRY)
                : new Allowed(Evidence.none(ask, clock.micros(), DecidedBy.NODE), 0, null);
    }

    /** Records an answer of the store. The answer remains valid if this fails, because it has been charged. */
    private void heard(Ask ask, Decision decision) {
        try {
            note(ask, decision);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "recording an answer of the store failed", e);
        }
    }

    /**
     * Records the evidence in an answer. Only answers of the store itself prove that it is alive, because a lease or a
     * cached denial needs no store.
     */
    private void note(Ask ask, Decision decision) {
        if (decision.decidedBy() == DecidedBy.STORE) {
            failures.replied();
            words.note(ask, decision);
            return;
        }
        if (decision.decidedBy() == DecidedBy.LEASE && decision.isAllowed()) {
            Evidence seen = decision.evidence();
            for (int i = 0; i < seen.size(); i++) {
                words.noteLeased(seen.charge(i), seen.snapshot(i), seen.seenAtMicros(i));
            }
        }
    }

    /**
     * Answers instead of the store. If that fails too, the failure modes decide.
     *
     * @param failure null if no reply came in time
     */
    private Decision failed(Ask ask, StoreDeadline.Wait wait, @Nullable Throwable failure) {
        try {
            return withoutReply(ask, wait, failure);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "handling a missing answer of the store failed; the failure modes decide", e);
            return fallback.decide(ask, Sent.PERHAPS);
        }
    }

    private Decision withoutReply(Ask ask, StoreDeadline.Wait wait, @Nullable Throwable failure) {
        NotCharged.Reason notCharged = NotCharged.reasonOf(failure);
        boolean isCallersTimeout = failure == null && isImpatient(ask);
        if (!isCallersTimeout) {
            failures.note(failure);
        }
        boolean isOfReplicas = failure == null && ask.replicas() > 0;
        boolean isOfTheNode =
                notCharged == NotCharged.Reason.OVERDUE || (failure == null && !isOfReplicas && !wait.isStoreToBlame());
        if (isOfTheNode && ask.timeout() == null && !shards.isOpen(ask)) {
            return overloaded(ask);
        }
        boolean isGivenBack = ask.hold() != null && ask.id() == null; // in case the store has charged it
        Decision decision = fallback.decide(ask, isGivenBack || notCharged != null ? Sent.NO : Sent.PERHAPS);
        if (shards.areClosed(ask)) {
            posting.begin(0); // an outage of one decision, after which nothing else would start the posting
        }
        return decision;
    }

    /**
     * Returns whether the caller waits for less time than the store may take. The caller's timeout is then no evidence
     * against the store.
     */
    private boolean isImpatient(Ask ask) {
        Duration own = ask.timeout();
        return own != null && own.compareTo(deadline.deadline()) < 0;
    }

    /** A decision of the store that has not arrived yet. */
    private final class AwaitedDecision extends AwaitedReply<Decision> {
        private final Ask ask;
        private final StoreDeadline.Wait wait;
        private final CompletableFuture<Decision> answer;

        AwaitedDecision(Ask ask, StoreDeadline.Wait wait, CompletableFuture<Decision> answer) {
            this.ask = ask;
            this.wait = wait;
            this.answer = answer;
        }

        @Override
        protected @Nullable Duration more() {
            return ask.timeout() == null ? wait.more() : null;
        }

        @Override
        protected void inTime(Decision decision) {
            waiting.decrementAndGet();
            heard(ask, decision);
            if (!answer.complete(decision)) {
                tooLate(decision);
            }
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            waiting.decrementAndGet();
            Decision decision = StoreDecisions.this.failed(ask, wait, failure);
            PermitHandle grant = answer.complete(decision) ? null : unused(decision);
            if (grant != null) {
                local.settle(grant.id(), decision.nothing());
            }
        }

        @Override
        protected void broken(Throwable failure) {
            answer.completeExceptionally(failure);
        }

        @Override
        protected void tooLate(Decision decision) {
            words.note(ask, decision);
            PermitHandle grant = unused(decision);
            if (grant != null) {
                permits.carryOut(PermitOperation.settle(grant.id(), decision.nothing()), deadline);
            }
        }

        /**
         * Returns the permit to give back if nobody waits for it any longer. With an id, the permit may belong to
         * another call and be in use.
         */
        private @Nullable PermitHandle unused(Decision decision) {
            return ask.id() == null && decision instanceof Allowed unused ? unused.permitHandle() : null;
        }
    }
}
