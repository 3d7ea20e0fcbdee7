package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.Lockout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lockout: until when the key is blocked, until when a window is open, and the number of strikes in it.
 *
 * <p>If the numbers change or the clock is set back, both end when they would have, or when new ones would, whichever
 * is sooner.
 */
record ReferenceLockout(
        @Nullable Long blockedUntil, @Nullable Window window) implements ReferenceCounter {
    /** An open window. */
    record Window(long until, List<Long> strikes) {
        long count() {
            return strikes.stream().mapToLong(Long::longValue).sum();
        }

        Window with(long more) {
            List<Long> all = new ArrayList<>(strikes);
            all.add(more);
            return new Window(until, List.copyOf(all));
        }
    }

    static ReferenceLockout fresh() {
        return new ReferenceLockout(null, null);
    }

    @Override
    public Read roll(Limit limit, long now) {
        long longestBlock = Math.addExact(now, micros(lockout(limit).lockout()));
        long longestWindow = Math.addExact(now, micros(lockout(limit).window()));
        boolean repaired = false;
        Long until = blockedUntil;
        if (until != null && until > longestBlock) {
            until = longestBlock;
            repaired = true;
        } else if (until != null && until <= now) {
            until = null;
        }
        Window open = window;
        if (open != null && open.until > longestWindow) {
            open = new Window(longestWindow, open.strikes);
            repaired = true;
        } else if (open != null && open.until <= now) {
            open = null;
        }
        return new Read(new ReferenceLockout(until, open), repaired);
    }

    /** A look fits unless the key is blocked. A strike always fits. */
    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return demand.checkCost() > 0 || blockedUntil == null;
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        if (cost == 0 || blockedUntil != null) {
            return this;
        }
        Window open = window == null
                ? new Window(Math.addExact(now, micros(lockout(limit).window())), List.of(cost))
                : window.with(cost);
        return open.count() < lockout(limit).strikes()
                ? new ReferenceLockout(null, open)
                : new ReferenceLockout(Math.addExact(now, micros(lockout(limit).lockout())), null);
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        throw new IllegalStateException("strikes count at once, and are never settled");
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        throw new IllegalStateException("strikes count at once, and are never settled");
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        return blockedUntil != null ? 0 : Math.max(1, limit.capacity() - (window == null ? 0 : window.count()));
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        if (blockedUntil != null) {
            return blockedUntil - now;
        }
        return window == null ? 0 : window.until - now;
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        if (blockedUntil == null) {
            throw new IllegalStateException("only a block requires a wait");
        }
        return blockedUntil - now;
    }

    @Override
    public boolean hasBeenUsed() {
        return blockedUntil != null || window != null;
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static Lockout lockout(Limit limit) {
        if (limit.algorithm() instanceof Lockout lockout) {
            return lockout;
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: a lockout)");
    }
}
