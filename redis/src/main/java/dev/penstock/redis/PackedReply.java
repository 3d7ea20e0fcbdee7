package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import dev.penstock.redis.PackedCall.Listener;
import dev.penstock.redis.PackedCall.Outcome;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import java.util.List;

/** Reads the reply of a {@link PackedCall}: the time, then the outcome and the states of each ask. Not thread-safe. */
final class PackedReply {
    private static final int NUMBER_BYTES = 7;
    private static final int MOST_NUMBERS = 3;

    private final PackedNumbers.Reader numbers;
    private final int width;
    private final Listener listener;
    private final long nowMicros;

    /** @param isNarrow whether each state has one number instead of three */
    PackedReply(byte[] reply, boolean isNarrow, Listener listener) {
        this.numbers = new PackedNumbers.Reader(reply);
        this.width = isNarrow ? 1 : MOST_NUMBERS;
        this.listener = listener;
        this.nowMicros = numbers.next(NUMBER_BYTES);
    }

    /** Reads the outcome of an ask, with one state per charge. */
    void readAsk(BatchedAsk asked) {
        Ask ask = asked.ask();
        Snapshot[] snapshots = new Snapshot[ask.size()];
        long exceeded = 0;
        Outcome outcome = Outcome.ALLOWED;
        for (int place = 0; place < snapshots.length; place++) {
            int i = asked.inOrder(place);
            Charge charge = ask.charge(i);
            int code = (int) numbers.next(1);
            outcome = Outcome.of(code);
            if (!outcome.isDecided()) {
                int charges = snapshots.length - place;
                numbers.skip(charges * (1 + width * NUMBER_BYTES) - 1);
                listener.notAnswered(asked, outcome);
                return;
            }
            exceeded |= Outcome.isExceeded(code) ? 1L << i : 0;
            long first = numbers.next(NUMBER_BYTES);
            long second = width == 1 ? 0 : numbers.next(NUMBER_BYTES);
            long third = width == 1 ? 0 : numbers.next(NUMBER_BYTES);
            snapshots[i] = new Snapshot(charge.limit().rule(), first, second, third, charge.cost());
        }
        answer(asked, snapshots, exceeded, outcome == Outcome.ALLOWED);
    }

    /**
     * Reads the outcome of equal asks with one charge each: how many were charged, and the state before the first. The
     * states in between are computed here. All asks that did not fit share the last one.
     */
    void readEqual(List<BatchedAsk> equal) {
        Outcome outcome = Outcome.of((int) numbers.next(1));
        long charged = numbers.next(NUMBER_BYTES);
        numbers.skip((width - 1) * NUMBER_BYTES + 1);
        long first = numbers.next(NUMBER_BYTES);
        long second = width == 1 ? 0 : numbers.next(NUMBER_BYTES);
        long third = width == 1 ? 0 : numbers.next(NUMBER_BYTES);
        if (!outcome.isDecided()) {
            for (BatchedAsk asked : equal) {
                listener.notAnswered(asked, outcome);
            }
            return;
        }
        Charge charge = equal.get(0).ask().charge(0);
        Rule rule = charge.limit().rule();
        State state = new State(rule, first, second, third);
        Snapshot[] last = {};
        for (int i = 0; i < equal.size(); i++) {
            if (i < charged) {
                rule.charge(state, charge.cost(), nowMicros);
            }
            if (i <= charged) {
                last = new Snapshot[] {new Snapshot(state, charge.cost(), 0)};
            }
            boolean fits = i < charged;
            answer(equal.get(i), last, fits ? 0 : 1, fits || !charge.isEnforced());
        }
    }

    private void answer(BatchedAsk asked, Snapshot[] snapshots, long exceeded, boolean isAllowed) {
        Evidence evidence = new Evidence(asked.ask(), snapshots, exceeded, nowMicros, DecidedBy.STORE);
        Decision decision = isAllowed ? new Allowed(evidence, 0, null) : new Denied(evidence);
        listener.answered(asked, decision);
    }
}
