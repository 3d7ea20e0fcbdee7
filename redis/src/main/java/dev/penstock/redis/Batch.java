package dev.penstock.redis;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Effect;
import dev.penstock.SlidingWindow;
import dev.penstock.internal.algorithm.Rule;
import dev.penstock.internal.algorithm.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks that travel together: as the keys and the argument of {@code batch.lua}, and its answer as theirs. Not thread-safe. */
final class Batch {
    /** What the script made of one ask. */
    enum Outcome {
        DENIED,
        ALLOWED,
        /** It needs the long way; nothing was changed. */
        LONG_WAY,
        /** One of its keys holds what no engine of this kind wrote; nothing was changed. */
        FOREIGN_KEY
    }

    /** Told of each ask, in the order of the batch. */
    interface Listener {
        void answered(BatchedAsk asked, Outcome outcome, Decision decision);

        void notAnswered(BatchedAsk asked, Outcome outcome);
    }

    private static final int LIMIT_BYTES = 40;
    private static final int CHARGE_BYTES = 11;

    private final List<BatchedAsk> asks;
    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final Map<Rule, Integer> limits = new LinkedHashMap<>();

    Batch(List<BatchedAsk> asks) {
        this.asks = asks;
        for (BatchedAsk asked : asks) {
            for (int i = 0; i < asked.ask().size(); i++) {
                keys.putIfAbsent(asked.key(i), keys.size() + 1);
                limits.putIfAbsent(asked.ask().charge(i).limit().rule(), limits.size() + 1);
            }
        }
    }

    List<String> keys() {
        return List.copyOf(keys.keySet());
    }

    byte[] argument() {
        int charges = asks.stream().mapToInt(asked -> asked.ask().size()).sum();
        Numbers out = new Numbers(4 + LIMIT_BYTES * limits.size() + 3 * asks.size() + CHARGE_BYTES * charges);
        out.put(limits.size(), 2);
        for (Rule rule : limits.keySet()) {
            long[] numbers = rule.simpleNumbers();
            if (numbers == null) {
                throw new AssertionError("an ask that needs the long way is not batched");
            }
            out.put(numbers[0], 1);
            out.put(numbers[1], 4);
            for (int i = 2; i < numbers.length; i++) {
                out.put(numbers[i], 7);
            }
        }
        out.put(asks.size(), 2);
        for (BatchedAsk asked : asks) {
            Ask ask = asked.ask();
            out.put(ask.size(), 1);
            out.put(asked.enforced(), 1);
            out.put(ask.purpose() == Ask.Purpose.PEEK ? 1 : 0, 1);
            for (Effect effect : List.of(Effect.DENY, Effect.OBSERVE)) {
                for (int i = 0; i < ask.size(); i++) {
                    Charge charge = ask.charge(i);
                    if (charge.terms().effect() == effect) {
                        out.put(indexOf(keys, asked.key(i)), 2);
                        out.put(indexOf(limits, charge.limit().rule()), 2);
                        out.put(charge.cost(), 7);
                    }
                }
            }
        }
        return out.bytes();
    }

    private static <K> int indexOf(Map<K, Integer> indexes, K key) {
        Integer index = indexes.get(key);
        if (index == null) {
            throw new AssertionError("every key and limit of the batch has an index");
        }
        return index;
    }

    /** Tells the listener what became of each ask. */
    void read(List<?> answer, Listener listener) {
        Reading numbers = new Reading(answer);
        long now = numbers.next();
        for (BatchedAsk asked : asks) {
            Outcome outcome = Outcome.values()[(int) numbers.next()];
            if (outcome == Outcome.LONG_WAY || outcome == Outcome.FOREIGN_KEY) {
                listener.notAnswered(asked, outcome);
            } else {
                listener.answered(asked, outcome, decision(asked.ask(), outcome, numbers, now));
            }
        }
    }

    private static Decision decision(Ask ask, Outcome outcome, Reading numbers, long now) {
        long exceededInOrder = numbers.next();
        long exceeded = 0;
        Snapshot[] snapshots = new Snapshot[ask.size()];
        int at = 0;
        for (Effect effect : List.of(Effect.DENY, Effect.OBSERVE)) {
            for (int i = 0; i < snapshots.length; i++) {
                Charge charge = ask.charge(i);
                if (charge.terms().effect() == effect) {
                    snapshots[i] = snapshot(charge, numbers);
                    exceeded |= (exceededInOrder >>> at & 1) << i;
                    at++;
                }
            }
        }
        Decision.Evidence evidence = new Decision.Evidence(ask, snapshots, exceeded, now, DecidedBy.STORE);
        return outcome == Outcome.DENIED ? new Denied(evidence) : new Allowed(evidence, 0, null);
    }

    private static Snapshot snapshot(Charge charge, Reading numbers) {
        Rule rule = charge.limit().rule();
        long a = numbers.next();
        long b = numbers.next();
        return new Snapshot(
                rule, a, b, charge.limit().algorithm() instanceof SlidingWindow ? numbers.next() : 0, charge.cost());
    }

    /** The numbers of an answer, one after the other. */
    private static final class Reading {
        private final List<?> numbers;
        private int at;

        Reading(List<?> numbers) {
            this.numbers = numbers;
        }

        long next() {
            return (Long) numbers.get(at++);
        }
    }

    /** Numbers as bytes, the highest first, each as wide as it is said to be. */
    private static final class Numbers {
        private final byte[] bytes;
        private int at;

        Numbers(int length) {
            bytes = new byte[length];
        }

        void put(long number, int width) {
            for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
                bytes[at++] = (byte) (number >>> shift);
            }
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** The asks from the front that together have no more charges than that. */
    static List<BatchedAsk> upTo(int mostCharges, Iterable<BatchedAsk> waiting) {
        List<BatchedAsk> together = new ArrayList<>();
        int charges = 0;
        for (BatchedAsk asked : waiting) {
            charges += asked.ask().size();
            if (charges > mostCharges && !together.isEmpty()) {
                break;
            }
            together.add(asked);
        }
        return together;
    }
}
