package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.LimitStatus;
import dev.penstock.server.internal.envoy.RateLimitDecider.DeniedHits;
import dev.penstock.server.internal.fields.ShownLimits;
import dev.penstock.spi.Charge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of each descriptor of a request after its decision. Immutable. */
final class DescriptorStatuses {
    private final DescriptorAsk asked;
    private final @Nullable Decision decision;
    private final List<LimitStatus> limits;
    private final boolean[] over;
    private final @Nullable LimitStatus[] reported;
    private final DeniedHits deniedHits;
    private final boolean isOver;

    private DescriptorStatuses(
            DescriptorAsk asked,
            @Nullable Decision decision,
            List<LimitStatus> limits,
            boolean[] over,
            @Nullable LimitStatus[] reported,
            DeniedHits deniedHits) {
        this.asked = asked;
        this.decision = decision;
        this.limits = limits;
        this.over = over;
        this.reported = reported;
        this.deniedHits = deniedHits;
        this.isOver = (decision != null && !decision.isAllowed()) || asked.isOver(over);
    }

    /** Returns the state for a request in which nothing is counted. */
    static DescriptorStatuses uncounted(DescriptorAsk asked) {
        return new DescriptorStatuses(
                asked, null, List.of(), asked.overAnyway(), new LimitStatus[asked.size()], DeniedHits.FREE);
    }

    static DescriptorStatuses of(DescriptorAsk asked, Decision decision, DeniedHits deniedHits) {
        boolean[] over = asked.overAnyway();
        @Nullable LimitStatus[] reported = new LimitStatus[over.length];
        List<LimitStatus> limits = decision.limits();
        for (int i = 0; i < limits.size(); i++) {
            LimitStatus status = limits.get(i);
            int owner = asked.ownerOf(status.charge(), i);
            if (owner < 0) {
                continue;
            }
            boolean byRule = asked.met(owner).limitingRule() != null;
            over[owner] |= status.isExceeded() && (byRule || status.isEnforced());
            LimitStatus before = reported[owner];
            if ((byRule || ShownLimits.isShown(status.charge()))
                    && (before == null || ShownLimits.isMorePressing(status, before))) {
                reported[owner] = status;
            }
        }
        if (!decision.isAllowed() && !asked.isOver(over)) {
            blame(asked, decision, over);
        } else if (decision.isAllowed() && decision.decidedBy() == DecidedBy.FALLBACK) {
            closeUnseen(asked, decision, over);
        }
        return new DescriptorStatuses(asked, decision, limits, over, reported, deniedHits);
    }

    /**
     * Marks descriptors as over after a denial that no limit caused. If a new key was refused, that is the descriptor
     * that needs it. If the store failed or is full, those are the descriptors whose failure mode is closed, or all if
     * there is none.
     */
    private static void blame(DescriptorAsk asked, Decision decision, boolean[] over) {
        Charge newKey = decision instanceof Denied denied ? denied.newKey() : null;
        if (newKey != null) {
            int owner = asked.ownerOf(newKey, Math.max(0, decision.charges().indexOf(newKey)));
            if (owner >= 0) {
                over[owner] = true;
                return;
            }
        }
        boolean found = false;
        for (int i = 0; i < over.length; i++) {
            over[i] |= asked.met(i) instanceof DescriptorMatch.Counted counted
                    && counted.charges().stream().anyMatch(DescriptorStatuses::isClosed);
            found |= over[i];
        }
        for (int i = 0; !found && i < over.length; i++) {
            over[i] = asked.met(i) instanceof DescriptorMatch.Counted;
        }
    }

    /**
     * Marks descriptors as over whose shadow charge was not reported in a fallback, if a rule limits them and its
     * failure mode is not open.
     */
    private static void closeUnseen(DescriptorAsk asked, Decision decision, boolean[] over) {
        List<Charge> charges = decision.charges();
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            int owner = asked.ownerOf(charge, i);
            boolean isSeen =
                    decision.limits().stream().anyMatch(status -> DescriptorAsk.isSame(charge, status.charge()));
            if (owner >= 0
                    && !isSeen
                    && !charge.isEnforced()
                    && asked.met(owner).limitingRule() != null
                    && charge.settings().onStoreFailure().mode() != FailureMode.OPEN) {
                over[owner] = true;
            }
        }
    }

    private static boolean isClosed(Charge charge) {
        return charge.settings().onStoreFailure().mode() == FailureMode.CLOSED;
    }

    DescriptorAsk asked() {
        return asked;
    }

    /** Returns the decision, or null if nothing was counted. */
    @Nullable
    Decision decision() {
        return decision;
    }

    /**
     * Returns true if the decision that was made is also the answer. It is not if each descriptor was decided
     * separately, or if only the quotas together are over.
     */
    boolean saysWhatWasMade() {
        return decision != null && deniedHits == DeniedHits.FREE && decision.isAllowed() != isOver;
    }

    /** Returns the statuses of the limits that were reported. */
    List<LimitStatus> limits() {
        return limits;
    }

    /** Returns who decided the request as a whole. Matches that need no counting take precedence. */
    DecidedBy decidedBy() {
        return decision == null || asked.isOver(asked.overAnyway()) ? DecidedBy.POLICY : decision.decidedBy();
    }

    /** Returns true if the request as a whole is over its limits. */
    boolean isOver() {
        return isOver;
    }

    /** Returns true if the descriptor is over its limit, in shadow or not. */
    boolean isOver(int descriptor) {
        return over[descriptor];
    }

    /**
     * Returns the state of the descriptor's most pressing limit, or null if no limit was reported that clients may see.
     */
    @Nullable
    LimitStatus reported(int descriptor) {
        return reported[descriptor];
    }

    /** Returns what is left of that limit. It is 0 if denied hits count and this was one. */
    long remaining(int descriptor) {
        LimitStatus status = reported[descriptor];
        boolean isTaken = deniedHits == DeniedHits.COUNTED && over[descriptor];
        return status == null || isTaken ? 0 : status.remaining();
    }
}
