package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Blocks a key for a while once it has enough strikes against it. A charge of 0 is a look: it fits if the key is
 * not blocked, and changes nothing. A charge of so much is as many strikes: it always fits, up to {@code strikes} at
 * once, and counts at once; it is never held.
 *
 * <p>A window begins with a strike that is in no window yet, and has all strikes that come sooner than {@code window} after
 * it. Where it has {@code strikes} of them, the key is blocked from that moment on for {@code lockout}, and what was counted
 * is forgotten. So nobody is blocked for fewer; as many that fall into two windows do not block. Strikes against a key
 * that is blocked count for nothing, and do not prolong it.
 *
 * <p>Where the numbers change, windows and blocks that are there end when they were to, or as soon as new ones would.
 *
 * @param of tells lockouts of one key apart; empty where there is only one
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

    /** The same: who is denied often enough by one node is blocked by it. */
    @Override
    public Lockout share(int nodes) {
        return this;
    }
}
