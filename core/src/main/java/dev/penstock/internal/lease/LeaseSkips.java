package dev.penstock.internal.lease;

import dev.penstock.Policy.Consistency;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the decisions under leased policies that took a round trip for another reason than demand. Thread-safe. */
public final class LeaseSkips {
    /** Why leases alone could not decide. If there are several reasons, the first one counts. */
    public enum Reason {
        /** The request reserves its cost. */
        HOLD,
        /** The request has an idempotency key. */
        ID,
        /** The request is also under a concurrency limit. */
        CONCURRENCY,
        /** The request is also under a leaky bucket. */
        LEAKY_BUCKET,
        /** The request is also counted by a shadow policy. */
        SHADOW,
        /** The request is also under a limit of a strict policy. */
        STRICT,
        /** A leased limit refills too fast, or the request costs nothing under it. */
        OTHER
    }

    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

    public LeaseSkips() {
        for (Reason each : Reason.values()) {
            counts.put(each, new LongAdder());
        }
    }

    /** Returns whether one of the charges belongs to a leased policy. */
    public static boolean concerns(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).settings().consistency() == Consistency.LEASED) {
                return true;
            }
        }
        return false;
    }

    /** Counts one decision. */
    public void count(Reason why) {
        LongAdder count = counts.get(why);
        if (count != null) {
            count.increment();
        }
    }

    /**
     * Returns why the store must decide a part of the ask.
     *
     * @param leases one per charge; null for a charge that cannot be leased
     */
    public static Reason reason(Ask ask, @Nullable AccountLeases[] leases) {
        Reason first = Reason.OTHER;
        for (int i = 0; i < leases.length; i++) {
            Reason own = leases[i] == null ? reason(ask.charge(i)) : Reason.OTHER;
            first = own.compareTo(first) < 0 ? own : first;
        }
        return first;
    }

    private static Reason reason(Charge charge) {
        if (charge.limit().algorithm() instanceof Concurrency) {
            return Reason.CONCURRENCY;
        } else if (charge.limit().algorithm() instanceof LeakyBucket) {
            return Reason.LEAKY_BUCKET;
        } else if (charge.settings().enforcement() == Enforcement.SHADOW) {
            return Reason.SHADOW;
        }
        return charge.settings().consistency() == Consistency.LEASED ? Reason.OTHER : Reason.STRICT;
    }

    /** Returns the number of decisions so far, by reason in lower case. */
    public Map<String, Long> counts() {
        Map<String, Long> byWord = new TreeMap<>();
        counts.forEach((reason, count) -> byWord.put(reason.name().toLowerCase(Locale.ROOT), count.sum()));
        return byWord;
    }
}
