package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.internal.Expect;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    /** What charges have in common; most batches have few sorts. */
    private record Sort(int signs, int limit, long cost) {}

    /** A key of the batch. */
    private static final class BatchKey {
        private final int number;
        private boolean isShared;

        BatchKey(int number) {
            this.number = number;
        }
    }

    private static final int ENFORCED = 1;
    private static final int PEEK = 2;
    private static final int LAST = 4;
    private static final int SHARED = 8;
    private static final int EXCEEDED = 4;

    private final List<BatchedAsk> asks;
    private final Map<String, BatchKey> keys;
    private final List<CountedLimit> limits = new ArrayList<>();
    private final List<Sort> sorts = new ArrayList<>();
    private final ToIntBiFunction<String, Rule> marks;
    private final Numbers.Writer charges;
    private int chargeCount;

    /** Whether all limits are buckets whose rate has no rest: then the answer has none either. */
    private boolean narrow = true;

    /** @param marks tells the mark of a rule in states of a counter, see {@link Marks} */
    Batch(List<BatchedAsk> asks, ToIntBiFunction<String, Rule> marks) {
        this.asks = asks;
        this.marks = marks;
        this.keys = new LinkedHashMap<>(2 * asks.size());
        this.charges = new Numbers.Writer(4 * asks.size());
        for (BatchedAsk asked : asks) {
            addKeys(asked);
        }
        for (BatchedAsk asked : asks) {
            addCharges(asked);
        }
    }

    private void addKeys(BatchedAsk asked) {
        for (int place = 0; place < asked.ask().size(); place++) {
            BatchKey fresh = new BatchKey(keys.size() + 1); // from 1, as Lua counts
            BatchKey known = keys.putIfAbsent(asked.key(asked.inOrder(place)), fresh);
            if (known != null) {
                known.isShared = true;
            }
        }
    }

    private void addCharges(BatchedAsk asked) {
        Ask ask = asked.ask();
        int signs = ask.purpose() == Ask.Purpose.PEEK ? PEEK : 0;
        for (int place = 0; place < ask.size(); place++) {
            int i = asked.inOrder(place);
            Charge charge = ask.charge(i);
            BatchKey key = Expect.present(keys.get(asked.key(i)), "key");
            int own = signs
                    | (charge.isEnforced() ? ENFORCED : 0)
                    | (place == ask.size() - 1 ? LAST : 0)
                    | (key.isShared ? SHARED : 0);
            int limit = limitNumber(charge.limit().rule(), charge.key().counter());
            charges.put(sortNumber(new Sort(own, limit, charge.cost())), 2).put(key.number, 2);
            chargeCount++;
        }
    }

    /** From 1, like all that are numbered here. */
    private int sortNumber(Sort sort) {
        int known = sorts.indexOf(sort);
        if (known < 0) {
            sorts.add(sort);
            return sorts.size();
        }
        return known + 1;
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
        return keys.keySet().toArray(String[]::new);
    }

    byte[] argument() {
        Numbers.Writer all = new Numbers.Writer(6 + 72 * limits.size() + 10 * sorts.size() + charges.size());
        all.put(limits.size(), 2).put(sorts.size(), 2).put(chargeCount, 2);
        for (CountedLimit limit : limits) {
            StateHead.write(limit.rule, marks.applyAsInt(limit.counter, limit.rule), all);
        }
        for (Sort sort : sorts) {
            all.put(sort.signs, 1).put(sort.limit, 2).put(sort.cost, 7);
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
