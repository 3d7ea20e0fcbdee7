package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Blocks a key for a while after enough strikes.
 *
 * <p>A charge of cost 0 is a look: it fits if the key is not blocked, and changes nothing. A charge of any other cost
 * is that number of strikes. It always fits, up to {@code strikes} at once, counts immediately, and is never held.
 *
 * <p>A window starts with a strike outside a window, and contains all strikes within {@code window} of it. When it has
 * {@code strikes} of them, the key is blocked from that moment for {@code lockout}, and the count is forgotten. The
 * same number of strikes spread over two windows does not block. Strikes against a blocked key do not count and do not
 * extend the block.
 *
 * <p>If the numbers change, current windows and blocks end when they would have ended, or when new ones would,
 * whichever is earlier.
 *
 * @param strikes the number of strikes that cause a block
 * @param window the time within which the strikes must come
 * @param lockout how long the key is blocked
 * @param of distinguishes several lockouts of one key; empty if there is only one
 */
public record Lockout(long strikes, Duration window, Duration lockout, String of) implements Algorithm {
    public Lockout {
        Expect.between(strikes, 1, Costs.MAX, "strikes");
        Expect.micros(window, LONGEST, "window");
        Expect.micros(lockout, LONGEST, "lockout");
        Expect.present(of, "of");
    }

    @Override
    public String word() {
        return "lockout";
    }

    @Override
    public long capacity() {
        return strikes;
    }

    @Override
    public String span() {
        return "";
    }

    /** Returns the whole lockout: a client that one node denies often enough is blocked by that node. */
    @Override
    public Lockout share(int nodes) {
        return this;
    }
}
