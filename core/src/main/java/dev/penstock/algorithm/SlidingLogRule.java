package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/**
 * At most the limit in any window (now - W, now]. The account keeps an {@link EntryLog}.
 *
 * <p>The numbers of the state are recomputed for each decision: the amount that counts now, the number of the oldest
 * entries that no longer count and, in a snapshot, the time of the newest entry.
 */
final class SlidingLogRule extends Rule {
    private final long w;

    SlidingLogRule(SlidingLog log, long maxDebt) {
        super(1, log.permits(), maxDebt, "log-" + log.span());
        Expect.that(maxDebt <= SlidingLog.MOST, "maxDebt", maxDebt, "<= " + SlidingLog.MOST + " for a sliding_log");
        this.w = Expect.micros(log.window(), Algorithm.LONGEST, "window");
    }

    @Override
    String kind() {
        return "sliding_log";
    }

    @Override
    String ownWords(long fromMicros, long toMicros) {
        return String.valueOf(w);
    }

    @Override
    public long longLivedFrom() {
        return longLivedIf(w);
    }

    /** Returns the amount that counts now. */
    private static long used(State state) {
        return state.first;
    }

    /** Returns the number of the oldest entries that no longer count. */
    private static int lapsed(State state) {
        return (int) state.second;
    }

    private static void setUsed(State state, long used, int lapsed) {
        state.first = used;
        state.second = lapsed;
    }

    /** Returns the time of the newest entry. Valid only in a snapshot. */
    private static long newestMicros(State snapshot) {
        return snapshot.third;
    }

    @Override
    boolean roll(State state, long nowMicros) {
        EntryLog log = state.extra().log();
        boolean repaired = log.repair(nowMicros);
        look(state, log, nowMicros);
        if (repaired) {
            log.dropOldest(lapsed(state));
            setUsed(state, used(state), 0);
        }
        return repaired;
    }

    private void look(State state, EntryLog log, long nowMicros) {
        int lapsed = 0;
        long used = log.total();
        while (lapsed < log.size() && log.tick(lapsed) <= nowMicros - w) {
            used -= log.amount(lapsed);
            lapsed++;
        }
        setUsed(state, used, lapsed);
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        return used(state) + state.held() + cost <= capacity;
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        if (cost == 0) {
            return;
        }
        EntryLog log = state.extra().log();
        log.dropOldest(lapsed(state));
        log.append(nowMicros, cost);
        setUsed(state, used(state) + cost, 0);
    }

    @Override
    long force(State state, long cost, long atMicros) {
        EntryLog log = state.extra().log();
        long at = log.size() == 0 ? atMicros : Math.max(atMicros, log.tick(log.size() - 1));
        look(state, log, at);
        long forced = Math.max(0, Math.min(cost, capacity + maxDebt - used(state)));
        charge(state, forced, at);
        return forced;
    }

    @Override
    public long remaining(State state, long nowMicros) {
        return Math.max(0, capacity - used(state) - state.held());
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        return used(state) == 0 ? 0 : newestMicros(state) + w - nowMicros;
    }

    @Override
    long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        return Math.max(newestMicros(seen), lastExpiryMicros) + w - lastExpiryMicros;
    }

    @Override
    void keep(Snapshot snapshot) {
        EntryLog log = snapshot.extra().log();
        snapshot.third = log.size() == 0 ? 0 : log.tick(log.size() - 1);
    }

    @Override
    long fitsAtMicros(Snapshot refused) {
        EntryLog log = refused.extra().log();
        long over = used(refused) + refused.held() + refused.cost - capacity;
        int last = lapsed(refused);
        while (last < log.size() && over > log.amount(last)) {
            over -= log.amount(last);
            last++;
        }
        return last < log.size() ? log.tick(last) + w : Long.MAX_VALUE;
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        return refused.held() + refused.cost <= capacity
                ? refused.fitsAtMicros() - nowMicros
                : refused.earliestExpiryMicros() - nowMicros;
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        EntryLog log = state.extra().log();
        return log.size() == 0 ? 0 : Math.min(log.tick(log.size() - 1), nowMicros) + w;
    }

    @Override
    public boolean isPlain() {
        return false;
    }
}
