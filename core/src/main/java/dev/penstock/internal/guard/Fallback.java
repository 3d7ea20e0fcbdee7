package dev.penstock.internal.guard;

import dev.penstock.Allowed;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.StaticDecision;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers instead of the store, by the failure modes of the charges: open charges are skipped, local ones are decided
 * together by their shares, and a closed one denies. Shadow charges never deny. Thread-safe. It always answers.
 */
public final class Fallback {
    private static final System.Logger LOG = System.getLogger(Fallback.class.getName());

    private final ShardTable table;
    private final LimitShares shares;
    private final LocalShares local;
    private final Clock clock;

    public Fallback(ShardTable table, LimitShares shares, LocalShares local, Clock clock) {
        this.table = table;
        this.shares = shares;
        this.local = local;
        this.clock = clock;
    }

    /**
     * Returns when an ask may return to the store. Asks with local shares return together on all nodes, because every
     * node must first post what its shares allowed.
     */
    public static CircuitBreaker.ReturnMode companyOf(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).settings().onStoreFailure().usesShares()) {
                return CircuitBreaker.ReturnMode.TOGETHER;
            }
        }
        return CircuitBreaker.ReturnMode.ALONE;
    }

    public Decision decide(Ask ask, LocalShares.Sent sent) {
        Outage outage = table.outageOf(ask);
        outage.count();
        long now = clock.micros();
        StaticDecision staticDecision = ask.staticDecision();
        if (staticDecision != null) {
            return staticDecision.decision(ask, now);
        }
        try {
            int nodes = shares.nodes();
            List<LocalShares.Pair> kept = keptOf(ask, outage, nodes, now);
            if (kept == null) {
                return denied(ask, now);
            }
            if (kept.isEmpty() && ask.hold() == null) {
                return new Allowed(nothingSeen(ask, now), 0, null);
            }
            return local.decide(ask, kept, nodes, sent).inFallbackFor(ask);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the fallback failed; the request is denied", e);
            return denied(ask, now);
        }
    }

    /** Returns the charges that their shares decide, or null if a charge denies without a check. */
    private @Nullable List<LocalShares.Pair> keptOf(Ask ask, Outage outage, int nodes, long now) {
        List<LocalShares.Pair> kept = new ArrayList<>(ask.size());
        for (int i = 0; i < ask.size(); i++) {
            Charge charge = ask.charge(i);
            FailurePlan plan = charge.settings().onStoreFailure();
            FailureMode mode = outage.mode(plan, now);
            Charge part = mode == FailureMode.LOCAL ? shares.of(charge, nodes) : null;
            if (part != null && !isAboveShareOnly(charge, part)) {
                kept.add(new LocalShares.Pair(charge, part));
                continue;
            }
            if (mode == FailureMode.LOCAL) {
                mode = part == null ? outage.withoutShare(plan) : FailureMode.CLOSED;
            }
            if (mode == FailureMode.CLOSED && charge.isEnforced()) {
                return null;
            }
        }
        return kept;
    }

    /**
     * Returns whether the limit could allow the cost but its share never can. Only the store can decide such a charge,
     * when it is back.
     */
    private static boolean isAboveShareOnly(Charge whole, Charge part) {
        return whole.cost() > part.limit().capacity()
                && whole.cost() <= whole.limit().capacity();
    }

    private static Denied denied(Ask ask, long now) {
        Duration retry = Duration.of(BreakerThresholds.RETRY_MICROS, ChronoUnit.MICROS);
        return new Denied(nothingSeen(ask, now), Denied.Reason.STORE_FAILED, retry);
    }

    private static Evidence nothingSeen(Ask ask, long now) {
        return Evidence.none(ask, now, DecidedBy.FALLBACK);
    }
}
