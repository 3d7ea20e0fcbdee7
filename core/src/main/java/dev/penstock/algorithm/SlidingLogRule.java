package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/**
 * No more than the limit in any window (now - W, now]. The account keeps an {@link EntryLog}.
 *
 * <p>The numbers are only of the decision at hand: {@code a} what counts now, {@code b} how many of the oldest entries
 * do not count any more; in a snapshot {@code c} is the time of the last entry.
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

    @Override
    boolean roll(State state, long nowMicros) {
        EntryLog log = state.extra().log();
        boolean repaired = log.repair(nowMicros);
        look(state, log, nowMicros);
        if (repaired) {
            log.dropOldest((int) state.b);
            state.b = 0;
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
        state.a = used;
        state.b = lapsed;
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        return state.a + state.held() + cost <= capacity;
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        if (cost == 0) {
            return;
        }
        EntryLog log = state.extra().log();
        log.dropOldest((int) state.b);
        log.append(nowMicros, cost);
        state.a += cost;
        state.b = 0;
    }

    @Override
    void force(State state, long cost, long atMicros) {
        EntryLog log = state.extra().log();
        long at = log.size() == 0 ? atMicros : Math.max(atMicros, log.tick(log.size() - 1));
        look(state, log, at);
        charge(state, Math.max(0, Math.min(cost, capacity + maxDebt - state.a)), at);
    }

    @Override
    public long remaining(State state, long nowMicros) {
        return Math.max(0, capacity - state.a - state.held());
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        return state.a == 0 ? 0 : state.c + w - nowMicros;
    }

    @Override
    void keep(Snapshot snapshot) {
        EntryLog log = snapshot.extra().log();
        snapshot.c = log.size() == 0 ? 0 : log.tick(log.size() - 1);
    }

    @Override
    long fitsAtMicros(Snapshot refused) {
        EntryLog log = refused.extra().log();
        long over = refused.a + refused.held() + refused.cost - capacity;
        int last = (int) refused.b;
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
