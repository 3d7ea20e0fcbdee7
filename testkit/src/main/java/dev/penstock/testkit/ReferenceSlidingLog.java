package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.SlidingLog;
import java.util.ArrayList;
import java.util.List;

/** The sliding log: the amounts and when they were spent, oldest first. */
record ReferenceSlidingLog(List<Entry> entries) implements ReferenceCounter {
    /** One amount, and when it was spent. */
    record Entry(long micros, long amount) {}

    ReferenceSlidingLog {
        entries = List.copyOf(entries);
    }

    static ReferenceSlidingLog fresh() {
        return new ReferenceSlidingLog(List.of());
    }

    @Override
    public Read roll(Limit limit, long now) {
        if (entries.stream().allMatch(entry -> entry.micros <= now)) {
            return new Read(this, false);
        }
        List<Entry> repaired = entries.stream()
                .map(entry -> new Entry(Math.min(entry.micros, now), entry.amount))
                .toList();
        return new Read(new ReferenceSlidingLog(repaired).withoutLapsed(limit, now), true);
    }

    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return Math.addExact(used(limit, now), demand.total()) <= limit.capacity();
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        return cost == 0 ? this : withoutLapsed(limit, now).with(new Entry(now, cost));
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        long when = entries.isEmpty() ? at : Math.max(at, last().micros);
        long most = Math.addExact(limit.capacity(), limit.maxDebt()) - used(limit, when);
        long forced = Math.min(amount, most);
        return forced > 0 ? withoutLapsed(limit, when).with(new Entry(when, forced)) : this;
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        long when = entries.isEmpty() ? at : Math.max(at, last().micros);
        return ((ReferenceSlidingLog) force(limit, amount, at)).used(limit, when) - used(limit, when);
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        return Math.max(0, limit.capacity() - used(limit, now) - held);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        return used(limit, now) == 0 ? 0 : last().micros + lengthMicros(limit) - now;
    }

    /** The newest entry counts as long as the last hold, even if the debt leaves no room for the hold. */
    @Override
    public long resetFromMicros(Limit limit, long held, long at) {
        long newest = entries.isEmpty() ? at : Math.max(at, last().micros);
        return newest + lengthMicros(limit) - at;
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        List<Entry> counting = withoutLapsed(limit, now).entries;
        long used = used(limit, now);
        for (Entry oldest : counting) {
            used -= oldest.amount;
            if (used + demand.total() <= limit.capacity()) {
                return oldest.micros + lengthMicros(limit) - now;
            }
        }
        throw new IllegalStateException("a demand of " + demand + " does not fit into " + limit);
    }

    @Override
    public boolean hasBeenUsed() {
        return !entries.isEmpty();
    }

    private long used(Limit limit, long now) {
        return withoutLapsed(limit, now).entries.stream()
                .mapToLong(Entry::amount)
                .sum();
    }

    private ReferenceSlidingLog withoutLapsed(Limit limit, long now) {
        long lapsed = now - lengthMicros(limit);
        return new ReferenceSlidingLog(
                entries.stream().filter(entry -> entry.micros > lapsed).toList());
    }

    private ReferenceSlidingLog with(Entry entry) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(entry);
        return new ReferenceSlidingLog(more);
    }

    private Entry last() {
        return entries.get(entries.size() - 1);
    }

    private static long lengthMicros(Limit limit) {
        if (limit.algorithm() instanceof SlidingLog log) {
            return log.window().toNanos() / 1_000;
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: a sliding log)");
    }
}
