package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;

/**
 * Asks that are sent together. This class writes them as the keys and the argument of {@code batch.lua}, and reads its
 * reply. The header of that file describes both formats. Not thread-safe.
 */
final class Batch {
    /** The script's result for one ask. */
    enum Outcome {
        DENIED,
        ALLOWED,
        /** The ask needs {@code decide.lua}. Nothing was changed. */
        NEEDS_DECIDE,
        /** One of its keys has a value that Penstock did not write. Nothing was changed. */
        FOREIGN_VALUE;

        private static final Outcome[] ALL = values();
    }

    /** Receives the outcome of each ask, in the order of the batch. */
    interface Listener {
        void answered(BatchedAsk asked, Decision decision);

        void notAnswered(BatchedAsk asked, Outcome outcome);
    }

    /** A rule in the states of one counter. */
    private record CountedRule(Rule rule, String counter) {}

    /** The properties that charges have in common. Most batches have few sorts. */
    private record Sort(int flags, int limit, long cost) {}

    /** A key of the batch. */
    private static final class BatchKey {
        private boolean isShared;

        /** The key's number, counted from 1 as in Lua; 0 if it has none yet. */
        private int number;
    }

    private static final int ENFORCED = 1;
    private static final int PEEK = 2;
    private static final int LAST = 4;
    private static final int ALONE = 8;
    private static final int EXCEEDED = 4;
    private static final int NUMBER_WIDTH = 2;

    /** The asks in the order in which they are sent. Asks whose key no other ask uses come first, sort by sort. */
    private final List<BatchedAsk> asks = new ArrayList<>();

    private final Map<String, BatchKey> keys;
    private final List<String> names = new ArrayList<>();
    private final List<CountedRule> limits = new ArrayList<>();
    private final List<Sort> sorts = new ArrayList<>();
    private final ToIntBiFunction<String, Rule> ruleIds;
    private final PackedNumbers.Writer charges;

    /** True if no rule of the batch ever has a rest. The reply then has one number per charge instead of three. */
    private boolean narrow = true;

    /** @param ruleIds returns the id of a rule in the states of a counter, see {@link RuleIds} */
    Batch(List<BatchedAsk> asks, ToIntBiFunction<String, Rule> ruleIds) {
        this.ruleIds = ruleIds;
        this.keys = new HashMap<>(2 * asks.size());
        this.charges = new PackedNumbers.Writer(2 * NUMBER_WIDTH * asks.size());
        asks.forEach(this::addKeys);
        List<BatchedAsk> others = new ArrayList<>();
        Map<Integer, List<BatchedAsk>> alone = new LinkedHashMap<>();
        for (BatchedAsk asked : asks) {
            List<BatchedAsk> among = isAlone(asked)
                    ? alone.computeIfAbsent(sortNumber(asked, 0, ALONE), sort -> new ArrayList<>())
                    : others;
            among.add(asked);
        }
        alone.forEach(this::addAlone);
        others.forEach(this::addCharges);
    }

    private void addKeys(BatchedAsk asked) {
        for (int i = 0; i < asked.ask().size(); i++) {
            BatchKey known = keys.putIfAbsent(asked.key(i), new BatchKey());
            if (known != null) {
                known.isShared = true;
            }
        }
    }

    private BatchKey key(BatchedAsk asked, int i) {
        return Expect.present(keys.get(asked.key(i)), "key");
    }

    /** Returns whether the ask has one charge, on a key that no other ask of the batch uses. */
    private boolean isAlone(BatchedAsk asked) {
        return asked.ask().size() == 1 && !key(asked, 0).isShared;
    }

    /**
     * Adds asks whose keys no other ask uses, all of one sort. They are sent as the number of the first key and the
     * number of keys that follow it.
     */
    private void addAlone(int sort, List<BatchedAsk> alike) {
        charges.put(sort, NUMBER_WIDTH).put(names.size() + 1, NUMBER_WIDTH).put(alike.size() - 1, NUMBER_WIDTH);
        for (BatchedAsk asked : alike) {
            names.add(asked.key(0));
        }
        asks.addAll(alike);
    }

    private void addCharges(BatchedAsk asked) {
        for (int place = 0; place < asked.ask().size(); place++) {
            int i = asked.inOrder(place);
            BatchKey key = key(asked, i);
            if (key.number == 0) {
                names.add(asked.key(i));
                key.number = names.size();
            }
            charges.put(sortNumber(asked, place, 0), NUMBER_WIDTH).put(key.number, NUMBER_WIDTH);
        }
        asks.add(asked);
    }

    /**
     * Returns the number of a charge's sort, counted from 1 like all numbers here.
     *
     * @param place the place of the charge in the ask's order
     * @param alone {@link #ALONE} if no other ask uses the charge's key, otherwise 0
     */
    private int sortNumber(BatchedAsk asked, int place, int alone) {
        Ask ask = asked.ask();
        Charge charge = ask.charge(asked.inOrder(place));
        int flags = (charge.isEnforced() ? ENFORCED : 0)
                | (ask.purpose() == Ask.Purpose.PEEK ? PEEK : 0)
                | (place == ask.size() - 1 ? LAST : 0)
                | alone;
        int limit = limitNumber(charge.limit().rule(), charge.key().counter());
        Sort sort = new Sort(flags, limit, charge.cost());
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
        limits.add(new CountedRule(rule, counter));
        narrow &= PackedRule.isWithoutRest(rule);
        return limits.size();
    }

    /** Returns the number of asks. */
    int size() {
        return asks.size();
    }

    String[] keys() {
        return names.toArray(String[]::new);
    }

    byte[] argument() {
        PackedNumbers.Writer all =
                new PackedNumbers.Writer(6 + PackedRule.BYTES * limits.size() + 10 * sorts.size() + charges.size());
        all.put(limits.size(), 2).put(sorts.size(), 2).put(charges.size() / NUMBER_WIDTH, 2);
        for (CountedRule limit : limits) {
            PackedRule.write(limit.rule, ruleIds.applyAsInt(limit.counter, limit.rule), all);
        }
        for (Sort sort : sorts) {
            all.put(sort.flags, 1).put(sort.limit, 2).put(sort.cost, 7);
        }
        return all.put(charges).bytes();
    }

    /** Reads the reply, and passes the outcome of each ask to the listener. */
    void read(byte[] answer, Listener listener) {
        PackedNumbers.Reader numbers = new PackedNumbers.Reader(answer);
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
                long first = numbers.next(7);
                long second = narrow ? 0 : numbers.next(7);
                long third = narrow ? 0 : numbers.next(7);
                snapshots[i] = new Snapshot(charge.limit().rule(), first, second, third, charge.cost());
            }
            Outcome outcome = Outcome.ALL[code % EXCEEDED];
            if (outcome == Outcome.NEEDS_DECIDE || outcome == Outcome.FOREIGN_VALUE) {
                listener.notAnswered(asked, outcome);
            } else {
                Evidence evidence = new Evidence(ask, snapshots, exceeded, now, DecidedBy.STORE);
                listener.answered(
                        asked, outcome == Outcome.DENIED ? new Denied(evidence) : new Allowed(evidence, 0, null));
            }
        }
    }
}
