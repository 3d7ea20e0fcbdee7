package dev.penstock.engine;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.internal.guard.AwaitedReply;
import dev.penstock.internal.guard.CircuitBreaker.Passage;
import dev.penstock.internal.guard.Fallback;
import dev.penstock.internal.guard.LocalShares;
import dev.penstock.internal.guard.LocalShares.Sent;
import dev.penstock.internal.guard.OutageReplay;
import dev.penstock.internal.guard.PermitOperation;
import dev.penstock.internal.guard.ReplyDeadlines;
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
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for decisions, and answers in its place when it is given up, late or failing, or when this node is
 * overloaded. Thread-safe.
 */
final class StoreDecisions {
    /** What judges the store. */
    record Judges(ShardTable shards, StoreFailures failures, StoreDeadline deadline) {}

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
            Judges judges,
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

    /** The number of decisions that wait for the store at present. */
    int waiting() {
        return waiting.get();
    }

    /** Returns whether the maximum number of decisions wait for the store. */
    boolean isFull() {
        return waiting.get() >= maxWaiting;
    }

    Reply<Decision> decide(Ask ask) {
        if (!shards.areAllClosed() && shards.enter(ask, Fallback.companyOf(ask)) == Passage.REFUSED) {
            return withoutStore(ask);
        }
        if (isFull()) {
            return deadline.wasStoreToBlame(ask) ? fallback.decide(ask, Sent.NO) : overloaded(ask);
        }
        StoreDeadline.Wait wait = deadline.begin(ask);
        try {
            posting.before(ask);
            Reply<Decision> reply = store.decide(ask.orTimeout(patience(ask)));
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
            posting.begin(0); // its other shards may be well: they need not wait for the one that is away
        }
        return decision;
    }

    /** How long the store may keep an ask that has no timeout of its own: replicas are waited for no longer than the deadline. */
    private Duration patience(Ask ask) {
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

    /** Denies, unless all charges are shadow charges, which never deny. */
    private Decision overloaded(Ask ask) {
        boolean isEnforced = ask.charges().stream().anyMatch(Charge::isEnforced);
        return isEnforced
                ? Denied.overloaded(ask, clock.micros(), OVERLOADED_RETRY)
                : new Allowed(Evidence.none(ask, clock.micros(), DecidedBy.NODE), 0, null);
    }

    /** Only what the store itself said is a sign of life: a lease or a denial from a cache needs none. */
    private void heard(Ask ask, Decision decision) {
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

    /** @param failure null if no reply came in time */
    private Decision failed(Ask ask, StoreDeadline.Wait wait, @Nullable Throwable failure) {
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
        boolean isGivenBack = ask.hold() != null && ask.id() == null; // should the store have charged it after all
        Decision decision = fallback.decide(ask, isGivenBack || notCharged != null ? Sent.NO : Sent.PERHAPS);
        if (shards.areClosed(ask)) {
            posting.begin(0); // an outage of one decision: nobody else will clear up after it
        }
        return decision;
    }

    /** Whether its caller waits for less than the store may take: its timeout says nothing about the store. */
    private boolean isImpatient(Ask ask) {
        Duration own = ask.timeout();
        return own != null && own.compareTo(deadline.deadline()) < 0;
    }

    /** A decision of the store that is on its way. */
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
        protected void tooLate(Decision decision) {
            words.note(ask, decision);
            PermitHandle grant = unused(decision);
            if (grant != null) {
                permits.tell(PermitOperation.settle(grant.id(), decision.nothing()), deadline);
            }
        }

        /** What is to be given back where nobody waits any more; under an id it may be another call's, in use. */
        private @Nullable PermitHandle unused(Decision decision) {
            return ask.id() == null && decision instanceof Allowed unused ? unused.permitHandle() : null;
        }
    }
}
