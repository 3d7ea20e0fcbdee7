package dev.penstock.redis;

import dev.penstock.algorithm.Rule;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks that are sent together, to {@code batch.lua}. Equal asks with one charge on the same key are sent as one, with
 * their number: the script decides them at once, however many there are. Not thread-safe.
 *
 * <p>Asks whose key no other ask uses are sent first, sort by sort. The others follow in the order of the first of
 * their equals. All asks of a batch were waiting at the same time, so any order is right; equal asks keep theirs.
 */
final class Batch implements PackedCall {
    /** A rule in the states of one counter. */
    private record CountedRule(Rule rule, String counter) {}

    /** The properties that charges have in common. Most batches have few sorts. */
    private record Sort(int flags, int limit, long cost) {}

    /** Equal asks, or one ask. */
    private static final class Group {
        private final List<BatchedAsk> asks = new ArrayList<>();

        /** The next group of asks with one charge on the same key. */
        private @Nullable Group next;

        Group(BatchedAsk first) {
            asks.add(first);
        }

        BatchedAsk first() {
            return asks.get(0);
        }

        boolean isEqual() {
            return asks.size() > 1;
        }
    }

    /** A key of the batch. */
    private static final class BatchKey {
        /** The groups of asks whose only charge is on this key, as a chain. */
        private @Nullable Group groups;

        private boolean isShared;

        /** The key's number, counted from 1 as in Lua; 0 if it has none yet. */
        private int number;
    }

    private static final int ENFORCED = 1;
    private static final int PEEK = 2;
    private static final int LAST = 4;
    private static final int ALONE = 8;
    private static final int EQUAL = 16;
    private static final int NUMBER_WIDTH = 2;

    private final ToIntBiFunction<String, Rule> ruleIds;

    /** The groups in the order in which they are sent, once the batch is written. */
    private final List<Group> groups = new ArrayList<>();

    private final Map<String, BatchKey> keys = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<CountedRule> limits = new ArrayList<>();
    private final List<Sort> sorts = new ArrayList<>();
    private int size;
    private int charges;

    /** The charges as numbers; null until the batch is written. */
    private PackedNumbers.@Nullable Writer written;

    /** True if no rule of the batch ever has a rest. The reply then has one number per charge instead of three. */
    private boolean narrow = true;

    /** @param ruleIds returns the id of a rule in the states of a counter, see {@link RuleIds} */
    Batch(ToIntBiFunction<String, Rule> ruleIds) {
        this.ruleIds = ruleIds;
    }

    /** Adds an ask. Returns false if the batch is full: what it costs Redis is limited, and the number of asks. */
    boolean add(BatchedAsk asked) {
        if (size == BatchLimits.MAX_ASKS) {
            return false;
        }
        Group equal = equalTo(asked);
        if (equal != null) {
            equal.asks.add(asked);
            size++;
            return true;
        }
        int more = asked.ask().size();
        if (charges + more > BatchLimits.MAX_CHARGES && size > 0) {
            return false;
        }
        Group group = new Group(asked);
        groups.add(group);
        addKeys(asked, group);
        charges += more;
        size++;
        return true;
    }

    /** Returns the group of asks that are equal to this one, or null. */
    private @Nullable Group equalTo(BatchedAsk asked) {
        Group latest = groups.isEmpty() ? null : groups.get(groups.size() - 1);
        if (latest == null || asked.ask().size() > 1) {
            return null;
        } else if (latest.first().isEqualTo(asked)) { // if one key is hot, this saves the name of its key
            return latest;
        }
        BatchKey key = keys.get(asked.key(0));
        Group group = key == null ? null : key.groups;
        while (group != null && !group.first().isEqualTo(asked)) {
            group = group.next;
        }
        return group;
    }

    private void addKeys(BatchedAsk asked, Group group) {
        for (int i = 0; i < asked.ask().size(); i++) {
            BatchKey key = keys.get(asked.key(i));
            if (key == null) {
                key = new BatchKey();
                keys.put(asked.key(i), key);
            } else {
                key.isShared = true;
            }
            if (asked.ask().size() == 1) {
                group.next = key.groups;
                key.groups = group;
            }
        }
    }

    /** Writes the charges, and puts the groups in the order in which they are written. */
    private PackedNumbers.Writer write() {
        PackedNumbers.Writer present = written;
        if (present != null) {
            return present;
        }
        PackedNumbers.Writer out = new PackedNumbers.Writer(2 * NUMBER_WIDTH * charges);
        List<Group> others = new ArrayList<>();
        Map<Integer, List<Group>> alone = new LinkedHashMap<>();
        for (Group group : groups) {
            if (isAlone(group)) {
                alone.computeIfAbsent(sortNumber(group.first(), 0, ALONE), sort -> new ArrayList<>())
                        .add(group);
            } else {
                others.add(group);
            }
        }
        groups.clear();
        alone.forEach((sort, alike) -> writeAlone(sort, alike, out));
        for (Group group : others) {
            if (group.isEqual()) {
                writeEqual(group, out);
            } else {
                writeCharges(group.first(), out);
            }
        }
        groups.addAll(others);
        written = out;
        return out;
    }

    private BatchKey key(BatchedAsk asked, int i) {
        return Expect.present(keys.get(asked.key(i)), "key");
    }

    /** Returns whether the group is one ask with one charge, on a key that no other ask of the batch uses. */
    private boolean isAlone(Group group) {
        return !group.isEqual() && group.first().ask().size() == 1 && !key(group.first(), 0).isShared;
    }

    /**
     * Writes asks whose keys no other ask uses, all of one sort: the number of the first key and the number of keys that
     * follow it.
     */
    private void writeAlone(int sort, List<Group> alike, PackedNumbers.Writer out) {
        out.put(sort, NUMBER_WIDTH).put(names.size() + 1, NUMBER_WIDTH).put(alike.size() - 1, NUMBER_WIDTH);
        for (Group group : alike) {
            names.add(group.first().key(0));
        }
        groups.addAll(alike);
    }

    private void writeEqual(Group group, PackedNumbers.Writer out) {
        int sort = sortNumber(group.first(), 0, EQUAL);
        out.put(sort, NUMBER_WIDTH)
                .put(keyNumber(group.first(), 0), NUMBER_WIDTH)
                .put(group.asks.size(), NUMBER_WIDTH);
    }

    private void writeCharges(BatchedAsk asked, PackedNumbers.Writer out) {
        for (int place = 0; place < asked.ask().size(); place++) {
            int number = keyNumber(asked, asked.inOrder(place));
            out.put(sortNumber(asked, place, 0), NUMBER_WIDTH).put(number, NUMBER_WIDTH);
        }
    }

    private int keyNumber(BatchedAsk asked, int i) {
        BatchKey key = key(asked, i);
        if (key.number == 0) {
            names.add(asked.key(i));
            key.number = names.size();
        }
        return key.number;
    }

    /**
     * Returns the number of a charge's sort, counted from 1 like all numbers here.
     *
     * @param place the place of the charge in the ask's order
     * @param kind {@link #ALONE}, {@link #EQUAL} or 0
     */
    private int sortNumber(BatchedAsk asked, int place, int kind) {
        Ask ask = asked.ask();
        Charge charge = ask.charge(asked.inOrder(place));
        int flags = (charge.isEnforced() ? ENFORCED : 0)
                | (ask.purpose() == Ask.Purpose.PEEK ? PEEK : 0)
                | (place == ask.size() - 1 ? LAST : 0)
                | kind;
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

    /** Returns the number of charges per different charge: 1 if none are equal. */
    int equalPerDifferent() {
        return charges == 0 ? 1 : (charges + size - groups.size()) / charges;
    }

    @Override
    public Target target() {
        return Target.BATCH;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String[] keys() {
        PackedNumbers.Writer unused = write();
        return names.toArray(String[]::new);
    }

    @Override
    public byte[] argument() {
        PackedNumbers.Writer numbers = write();
        PackedNumbers.Writer all =
                new PackedNumbers.Writer(6 + PackedRule.BYTES * limits.size() + 10 * sorts.size() + numbers.size());
        all.put(limits.size(), 2).put(sorts.size(), 2).put(numbers.size() / NUMBER_WIDTH, 2);
        for (CountedRule limit : limits) {
            PackedRule.write(limit.rule, ruleIds.applyAsInt(limit.counter, limit.rule), all);
        }
        for (Sort sort : sorts) {
            all.put(sort.flags, 1).put(sort.limit, 2).put(sort.cost, 7);
        }
        return all.put(numbers).bytes();
    }

    @Override
    public void read(byte[] answer, Listener listener) {
        PackedReply reply = new PackedReply(answer, narrow, listener);
        for (Group group : groups) {
            if (group.isEqual()) {
                reply.readEqual(group.asks);
            } else {
                reply.readAsk(group.first());
            }
        }
    }
}
