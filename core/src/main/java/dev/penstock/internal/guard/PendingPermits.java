package dev.penstock.internal.guard;

import dev.penstock.Settlement;
import dev.penstock.Timer;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What was done to permits of the store while it was away, to be told when it is back. One call a permit: the first
 * settlement counts, and goes before a renewal. The store takes a settlement twice as once, so one that may have arrived is
 * sent again; how long a permit lives is the store's to say, so nothing grows stale here.
 *
 * <p>Thread-safe and bounded: of more than may wait the oldest are dropped, and counted.
 */
public final class PendingPermits {
    private static final int CALLS_A_ROUND = 256;
    private static final int MOST_TRIES = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** A call that waits; guarded by the queue. */
    private static final class Waiting {
        final PermitCall call;
        boolean onItsWay;
        int tries;

        Waiting(PermitCall call) {
            this.call = call;
        }
    }

    private final Engine store;
    private final CircuitBreaker breaker;
    private final StoreFailures failures;
    private final Deadlines deadlines;
    private final Rounds rounds;
    private final int most;
    private final Map<String, Waiting> queue = new LinkedHashMap<>();
    private long dropped;

    public PendingPermits(
            Engine store,
            CircuitBreaker breaker,
            StoreFailures failures,
            Deadlines deadlines,
            Timer timer,
            RandomGenerator random,
            int most) {
        this.store = store;
        this.breaker = breaker;
        this.failures = failures;
        this.deadlines = deadlines;
        this.rounds = new Rounds(timer, random, this::round);
        this.most = most;
    }

    /** What the store has to be asked: this, or what waits already and goes before it. */
    public PermitCall first(PermitCall call) {
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            return known != null && known.call.verb() == PermitCall.Verb.SETTLE ? known.call : call;
        }
    }

    /** Keeps a call for later. */
    public Settlement keep(PermitCall call) {
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            boolean goesFirst = call.verb() == PermitCall.Verb.SETTLE;
            if (known == null || (goesFirst && known.call.verb() == PermitCall.Verb.RENEW)) {
                queue.put(call.permitId(), new Waiting(call));
            }
            if (queue.size() > most) {
                queue.remove(queue.keySet().iterator().next());
                dropped++;
            }
        }
        if (!breaker.isOpen()) {
            begin(); // nobody else will
        }
        return Settlement.pending();
    }

    /** The store has answered: neither this nor what was to come before it has to be told again. */
    public void answered(PermitCall call) {
        synchronized (queue) {
            Waiting known = queue.get(call.permitId());
            if (known != null && (known.call.equals(call) || call.verb() == PermitCall.Verb.SETTLE)) {
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
        if (breaker.isOpen() || waiting() == 0) {
            return Rounds.DONE;
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
        return Rounds.SOON_MICROS;
    }

    private List<Waiting> take() {
        List<Waiting> taken = new ArrayList<>();
        synchronized (queue) {
            for (Waiting next : queue.values()) {
                if (!next.onItsWay && taken.size() < CALLS_A_ROUND) {
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

    /** A call that the store has been told. */
    private final class Told extends Awaited<Settlement> {
        private final Waiting waiting;

        Told(Waiting waiting) {
            this.waiting = waiting;
        }

        @Override
        protected void inTime(Settlement unused) {
            breaker.succeeded(CircuitBreaker.Passage.ASK);
            answered(waiting.call);
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            failures.note(CircuitBreaker.Passage.ASK, failure);
            PendingPermits.this.failed(waiting);
        }

        @Override
        protected void tooLate(Settlement unused) {
            answered(waiting.call);
        }
    }
}
