package dev.penstock.internal.guard;

import dev.penstock.Settlement;
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
 * Tells the store what is done to its permits; what it cannot be told while it is away waits until it is back. One call a
 * permit waits: the first settlement counts, and goes before a renewal. The store takes a settlement twice as once, so one
 * that may have arrived is sent again; how long a permit lives is the store's to say, so nothing grows stale here.
 *
 * <p>Thread-safe and bounded: what comes when no more may wait is dropped, and counted. It never drives out what waits, since
 * nobody can tell a forged id from a genuine one until the store is back.
 */
public final class StorePermits {
    private static final int CALLS_A_ROUND = 256;
    private static final int MOST_TRIES = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** A call that waits; guarded by the queue. */
    private static final class Waiting {
        final PermitOperation call;
        final Set<String> shards;
        boolean onItsWay;
        int tries;

        Waiting(PermitOperation call, Set<String> shards) {
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
    private final Map<String, Waiting> queue = new LinkedHashMap<>();
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

    /** Tells the store, if it can be told by the deadline; else the call is queued and the answer is PENDING. */
    public Reply<Settlement> tell(PermitOperation asked, StoreDeadline deadline) {
        PermitOperation call = first(asked);
        if (!shards.areAllClosed() && shards.isOpen(shards.namesOfPermit(call.permitId()))) {
            return keep(call);
        }
        CompletableFuture<Settlement> answer = new CompletableFuture<>();
        Asked awaited = new Asked(call, answer, deadline.begin(call.permitId()));
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

    /** What the store has to be asked: this, or what waits already and goes before it. */
    private PermitOperation first(PermitOperation call) {
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            return known != null && known.call.verb() == PermitOperation.Verb.SETTLE ? known.call : call;
        }
    }

    private Settlement keep(PermitOperation call) {
        Set<String> its = shards.namesOfPermit(call.permitId());
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            boolean goesFirst = call.verb() == PermitOperation.Verb.SETTLE;
            if (known == null && queue.size() >= most) {
                dropped++;
                return Settlement.unknown();
            }
            if (known == null || (goesFirst && known.call.verb() == PermitOperation.Verb.RENEW)) {
                queue.put(call.permitId(), new Waiting(call, its));
            }
        }
        if (!shards.isOpen(its)) {
            begin(); // nobody else will
        }
        return Settlement.pending();
    }

    /** The store has answered: neither this nor what was to come before it has to be told again. */
    private void answered(PermitOperation call) {
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            if (known != null && (known.call.equals(call) || call.verb() == PermitOperation.Verb.SETTLE)) {
                queue.remove(call.permitId());
            }
        }
    }

    /** Starts telling the store, which is back. */
    public void begin() {
        if (waiting() > 0) {
            rounds.begin(0);
        }
    }

    public void stop() {
        rounds.stop();
    }

    public int waiting() {
        synchronized (queue) {
            return queue.size();
        }
    }

    /** How many were never told: there were too many, or the store did not take them. */
    public long dropped() {
        synchronized (queue) {
            return dropped;
        }
    }

    private long round() {
        if (!isAnyToBeSent()) {
            return JitteredRounds.DONE;
        }
        for (Waiting next : take()) {
            Told told = new Told(next);
            try {
                Reply<Settlement> reply = next.call.putTo(store);
                Settlement ready = reply.ifReady();
                if (ready != null) {
                    told.accept(ready, null);
                } else {
                    deadlines.await(reply, PATIENCE, told);
                }
            } catch (RuntimeException e) {
                told.accept(null, e);
            }
        }
        return JitteredRounds.SOON_MICROS;
    }

    private boolean isAnyToBeSent() {
        synchronized (queue) {
            return queue.values().stream().anyMatch(next -> !shards.isOpen(next.shards));
        }
    }

    private List<Waiting> take() {
        List<Waiting> taken = new ArrayList<>();
        synchronized (queue) {
            for (Waiting next : queue.values()) {
                if (taken.size() == CALLS_A_ROUND) {
                    break;
                }
                if (!next.onItsWay && !shards.isOpen(next.shards)) {
                    next.onItsWay = true;
                    taken.add(next);
                }
            }
        }
        return taken;
    }

    private void failed(Waiting waiting) {
        synchronized (queue) {
            waiting.onItsWay = false;
            waiting.tries++;
            if (waiting.tries >= MOST_TRIES && queue.remove(waiting.call.permitId(), waiting)) {
                dropped++;
            }
        }
    }

    /** A call on its way to the store: answered, however late, it need not be made again. */
    private abstract class OnItsWay extends AwaitedReply<Settlement> {
        final PermitOperation call;

        OnItsWay(PermitOperation call) {
            this.call = call;
        }

        @Override
        protected void inTime(Settlement settlement) {
            failures.replied();
            answered(call);
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

    /** One that its caller waits for. */
    private final class Asked extends OnItsWay {
        private final CompletableFuture<Settlement> answer;
        private final StoreDeadline.Wait wait;

        Asked(PermitOperation call, CompletableFuture<Settlement> answer, StoreDeadline.Wait wait) {
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
            super.inTime(settlement);
            answer.complete(settlement);
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            super.failed(failure);
            answer.complete(keep(call));
        }
    }

    /** One that waited. */
    private final class Told extends OnItsWay {
        private final Waiting waiting;

        Told(Waiting waiting) {
            super(waiting.call);
            this.waiting = waiting;
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            super.failed(failure);
            StorePermits.this.failed(waiting);
        }
    }
}
