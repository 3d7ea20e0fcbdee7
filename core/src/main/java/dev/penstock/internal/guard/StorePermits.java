package dev.penstock.internal.guard;

import dev.penstock.Settlement;
import dev.penstock.internal.AwaitedReply;
import dev.penstock.internal.ReplyDeadlines;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends settlements and renewals of permits to the store. Calls that cannot be sent while the store is unavailable are
 * queued until it is back. Only one call per permit is queued: the first settlement, which takes precedence over
 * renewals. The store treats a repeated settlement as one, so a settlement that may have arrived is sent again. The
 * store decides how long a permit lives, so queued calls never expire here.
 *
 * <p>Thread-safe and bounded. When the queue is full, further calls are dropped and counted. They never replace queued
 * calls, because a forged id cannot be distinguished from a genuine one until the store is back.
 */
public final class StorePermits {
    private static final int CALLS_A_ROUND = 256;
    private static final int MOST_TRIES = 10;
    private static final Duration RETRY_DEADLINE = Duration.ofSeconds(1);

    /** A queued call. Guarded by the queue. */
    private static final class QueuedCall {
        final PermitOperation call;
        final Set<String> shards;
        boolean isSent;
        int tries;

        QueuedCall(PermitOperation call, Set<String> shards) {
            this.call = call;
            this.shards = shards;
        }
    }

    private final Engine store;
    private final ShardTable shards;
    private final StoreFailures failures;
    private final ReplyDeadlines deadlines;
    private final JitteredRounds rounds;
    private final int most;
    private final Map<String, QueuedCall> queue = new LinkedHashMap<>();
    private long dropped;

    public StorePermits(
            Engine store,
            ShardTable shards,
            StoreFailures failures,
            ReplyDeadlines deadlines,
            Scheduler scheduler,
            RandomGenerator random,
            int most) {
        this.store = store;
        this.shards = shards;
        this.failures = failures;
        this.deadlines = deadlines;
        this.rounds = new JitteredRounds(scheduler, random, this::round);
        this.most = most;
    }

    /**
     * Sends a call to the store. If the store does not answer by the deadline, the call is queued and the answer is
     * {@code PENDING}.
     */
    public Reply<Settlement> carryOut(PermitOperation asked, StoreDeadline deadline) {
        PermitOperation call = first(asked);
        if (!shards.areAllClosed() && shards.isOpen(shards.namesOfPermit(call.permitId()))) {
            return keep(call);
        }
        CompletableFuture<Settlement> answer = new CompletableFuture<>();
        AwaitedCall awaited = new AwaitedCall(call, answer, deadline.begin(call.permitId()));
        try {
            Reply<Settlement> reply = call.putTo(store);
            Settlement ready = reply.ifReady();
            if (ready != null) {
                awaited.accept(ready, null);
                return ready;
            }
            deadlines.await(reply, deadline.deadline(), awaited);
        } catch (Throwable e) {
            awaited.accept(null, e);
        }
        return Reply.later(answer);
    }

    /** Returns the call to send: the queued settlement of the same permit if there is one, otherwise this call. */
    private PermitOperation first(PermitOperation call) {
        synchronized (queue) {
            QueuedCall known = queue.get(call.permitId());
            return known != null && known.call.verb() == PermitOperation.Verb.SETTLE ? known.call : call;
        }
    }

    private Settlement keep(PermitOperation call) {
        Set<String> its = shards.namesOfPermit(call.permitId());
        synchronized (queue) {
            QueuedCall known = queue.get(call.permitId());
            boolean goesFirst = call.verb() == PermitOperation.Verb.SETTLE;
            if (known == null && queue.size() >= most) {
                dropped++;
                return Settlement.unknown();
            }
            if (known == null || (goesFirst && known.call.verb() == PermitOperation.Verb.RENEW)) {
                queue.put(call.permitId(), new QueuedCall(call, its));
            }
        }
        if (!shards.isOpen(its)) {
            begin(); // otherwise nothing would send it
        }
        return Settlement.pending();
    }

    /**
     * Called when the store has answered. Removes the call from the queue, together with a renewal that its settlement
     * replaces.
     */
    private void answered(PermitOperation call) {
        synchronized (queue) {
            QueuedCall known = queue.get(call.permitId());
            if (known != null && (known.call.equals(call) || call.verb() == PermitOperation.Verb.SETTLE)) {
                queue.remove(call.permitId());
            }
        }
    }

    /** Starts to send the queued calls to the store, which is back. */
    public void begin() {
        if (queued() > 0) {
            rounds.begin(0);
        }
    }

    public void stop() {
        rounds.stop();
    }

    public int queued() {
        synchronized (queue) {
            return queue.size();
        }
    }

    /** Returns the number of calls that were never delivered because the queue was full or the store kept failing. */
    public long dropped() {
        synchronized (queue) {
            return dropped;
        }
    }

    private long round() {
        if (!isAnyToBeSent()) {
            return JitteredRounds.DONE;
        }
        for (QueuedCall next : take()) {
            RetriedCall retried = new RetriedCall(next);
            try {
                Reply<Settlement> reply = next.call.putTo(store);
                Settlement ready = reply.ifReady();
                if (ready != null) {
                    retried.accept(ready, null);
                } else {
                    deadlines.await(reply, RETRY_DEADLINE, retried);
                }
            } catch (RuntimeException | Error e) {
                retried.accept(null, e);
            }
        }
        return JitteredRounds.SOON_MICROS;
    }

    private boolean isAnyToBeSent() {
        synchronized (queue) {
            return queue.values().stream().anyMatch(next -> !shards.isOpen(next.shards));
        }
    }

    private List<QueuedCall> take() {
        List<QueuedCall> taken = new ArrayList<>();
        synchronized (queue) {
            for (QueuedCall next : queue.values()) {
                if (taken.size() == CALLS_A_ROUND) {
                    break;
                }
                if (!next.isSent && !shards.isOpen(next.shards)) {
                    next.isSent = true;
                    taken.add(next);
                }
            }
        }
        return taken;
    }

    private void failed(QueuedCall queued) {
        synchronized (queue) {
            queued.isSent = false;
            queued.tries++;
            if (queued.tries >= MOST_TRIES && queue.remove(queued.call.permitId(), queued)) {
                dropped++;
            }
        }
    }

    /** A call that was sent to the store. Once it is answered, however late, it is not sent again. */
    private abstract class SentCall extends AwaitedReply<Settlement> {
        final PermitOperation call;

        SentCall(PermitOperation call) {
            this.call = call;
        }

        @Override
        protected void inTime(Settlement settlement) {
            answered(call);
            failures.replied();
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            failures.note(failure);
        }

        @Override
        protected void tooLate(Settlement settlement) {
            answered(call);
        }
    }

    /** A call whose caller waits for the answer. */
    private final class AwaitedCall extends SentCall {
        private final CompletableFuture<Settlement> answer;
        private final StoreDeadline.Wait wait;

        AwaitedCall(PermitOperation call, CompletableFuture<Settlement> answer, StoreDeadline.Wait wait) {
            super(call);
            this.answer = answer;
            this.wait = wait;
        }

        @Override
        protected @Nullable Duration more() {
            return wait.more();
        }

        @Override
        protected void inTime(Settlement settlement) {
            try {
                super.inTime(settlement);
            } finally {
                answer.complete(settlement);
            }
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            try {
                super.failed(failure);
            } finally {
                answer.complete(keep(call));
            }
        }

        @Override
        protected void broken(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** A call from the queue. */
    private final class RetriedCall extends SentCall {
        private final QueuedCall queued;

        RetriedCall(QueuedCall queued) {
            super(queued.call);
            this.queued = queued;
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            try {
                super.failed(failure);
            } finally {
                StorePermits.this.failed(queued);
            }
        }
    }
}
