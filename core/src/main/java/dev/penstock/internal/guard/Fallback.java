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
 * Answers in the store's place, by the failure modes of the charges: open ones are dropped, local ones are decided together
 * by their shares, and a closed one denies. Charges that are only observed never deny. Thread-safe; it always answers.
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

    /** Those that shares stand in for return together: what the shares gave out has to be told first, by all. */
    public static CircuitBreaker.Company companyOf(Ask ask) {
        for (int i = 0; i < ask.size(); i++) {
            if (ask.charge(i).settings().onStoreFailure().usesShares()) {
                return CircuitBreaker.Company.TOGETHER;
            }
        }
        return CircuitBreaker.Company.ALONE;
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

    /** The charges that are decided by their shares; null where one denies without a look. */
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

    /** Whether the limit could give the cost but its share never will: only the store can, once it is back. */
    private static boolean isAboveShareOnly(Charge whole, Charge part) {
        return whole.cost() > part.limit().capacity()
                && whole.cost() <= whole.limit().capacity();
    }

    private static Denied denied(Ask ask, long now) {
        Duration retry = Duration.of(CircuitBreaker.retryMicros(), ChronoUnit.MICROS);
        return new Denied(nothingSeen(ask, now), Denied.Reason.STORE_FAILED, retry);
    }

    private static Evidence nothingSeen(Ask ask, long now) {
        return Evidence.none(ask, now, DecidedBy.FALLBACK);
    }
}
