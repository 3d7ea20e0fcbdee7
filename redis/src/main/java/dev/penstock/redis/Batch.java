package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;

/** Asks that travel together: as the keys and the argument of {@code batch.lua}, and its answer as theirs. Not thread-safe. */
final class Batch {
    /** What the script made of one ask. */
    enum Outcome {
        DENIED,
        ALLOWED,
        /** It needs the long way; nothing was changed. */
        LONG_WAY,
        /** One of its keys holds what no engine of this kind wrote; nothing was changed. */
        FOREIGN_KEY;

        private static final Outcome[] ALL = values();
    }

    /** Told of each ask, in the order of the batch. */
    interface Listener {
        void answered(BatchedAsk asked, Decision decision);

        void notAnswered(BatchedAsk asked, Outcome outcome);
    }

    /** A limit of the batch, in states of one counter. */
    private record CountedLimit(Rule rule, String counter) {}

    private static final int ENFORCED = 1;
    private static final int PEEK = 2;
    private static final int LAST = 4;
    private static final int EXCEEDED = 4;

    private final List<BatchedAsk> asks;
    private final Map<String, Integer> keyNumbers;
    private final List<String> keys = new ArrayList<>();
    private final List<CountedLimit> limits = new ArrayList<>();
    private final ToIntBiFunction<String, Rule> marks;
    private final Numbers.Writer charges;
    private int chargeCount;

    /** Whether all limits are buckets whose rate has no rest: then the answer has none either. */
    private boolean narrow = true;

    /** @param marks tells the mark of a rule in states of a counter, see {@link Marks} */
    Batch(List<BatchedAsk> asks, ToIntBiFunction<String, Rule> marks) {
        this.asks = asks;
        this.marks = marks;
        this.keyNumbers = new HashMap<>(2 * asks.size());
        this.charges = new Numbers.Writer(16 * asks.size());
        for (BatchedAsk asked : asks) {
            add(asked);
        }
    }

    private void add(BatchedAsk asked) {
        Ask ask = asked.ask();
        int signs = ask.purpose() == Ask.Purpose.PEEK ? PEEK : 0;
        for (int place = 0; place < ask.size(); place++) {
            int i = asked.inOrder(place);
            Charge charge = ask.charge(i);
            int own = signs | (charge.isEnforced() ? ENFORCED : 0) | (place == ask.size() - 1 ? LAST : 0);
            charges.put(own, 1)
                    .put(keyNumber(asked.key(i)), 2)
                    .put(limitNumber(charge.limit().rule(), charge.key().counter()), 2)
                    .put(charge.cost(), 7);
            chargeCount++;
        }
    }

    /** From 1, as Lua counts. */
    private int keyNumber(String key) {
        Integer known = keyNumbers.putIfAbsent(key, keys.size() + 1);
        if (known != null) {
            return known;
        }
        keys.add(key);
        return keys.size();
    }

    private int limitNumber(Rule rule, String counter) {
        for (int i = 0; i < limits.size(); i++) {
            if (limits.get(i).rule == rule && limits.get(i).counter.equals(counter)) {
                return i + 1;
            }
        }
        limits.add(new CountedLimit(rule, counter));
        narrow &= StateHead.isWithoutRest(rule);
        return limits.size();
    }

    /** How many asks there are. */
    int size() {
        return asks.size();
    }

    String[] keys() {
        return keys.toArray(String[]::new);
    }

    byte[] argument() {
        Numbers.Writer all = new Numbers.Writer(4 + 72 * limits.size() + charges.size());
        all.put(limits.size(), 2).put(chargeCount, 2);
        for (CountedLimit limit : limits) {
            StateHead.write(limit.rule, marks.applyAsInt(limit.counter, limit.rule), all);
        }
        return all.put(charges).bytes();
    }

    /** Tells the listener what became of each ask. */
    void read(byte[] answer, Listener listener) {
        Numbers.Reader numbers = new Numbers.Reader(answer);
        long now = numbers.next(7);
        for (BatchedAsk asked : asks) {
            Ask ask = asked.ask();
            Snapshot[] snapshots = new Snapshot[ask.size()];
            long exceeded = 0;
            int code = 0;
            for (int place = 0; place < snapshots.length; place++) {
                int i = asked.inOrder(place);
                Charge charge = ask.charge(i);
                code = (int) numbers.next(1);
                exceeded |= code < EXCEEDED ? 0 : 1L << i;
                long a = numbers.next(7);
                long b = narrow ? 0 : numbers.next(7);
                long c = narrow ? 0 : numbers.next(7);
                snapshots[i] = new Snapshot(charge.limit().rule(), a, b, c, charge.cost());
            }
            Outcome outcome = Outcome.ALL[code % EXCEEDED];
            if (outcome == Outcome.LONG_WAY || outcome == Outcome.FOREIGN_KEY) {
                listener.notAnswered(asked, outcome);
            } else {
                Decision.Evidence evidence = new Decision.Evidence(ask, snapshots, exceeded, now, DecidedBy.STORE);
                listener.answered(
                        asked, outcome == Outcome.DENIED ? new Denied(evidence) : new Allowed(evidence, 0, null));
            }
        }
    }
}
