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

/** How each descriptor of a request stood when it was decided. Immutable. */
final class DescriptorStatuses {
    private final DescriptorAsk asked;
    private final @Nullable Decision decision;
    private final List<LimitStatus> limits;
    private final boolean[] over;
    private final @Nullable LimitStatus[] told;
    private final DeniedHits deniedHits;
    private final boolean isOver;

    private DescriptorStatuses(
            DescriptorAsk asked,
            @Nullable Decision decision,
            List<LimitStatus> limits,
            boolean[] over,
            @Nullable LimitStatus[] told,
            DeniedHits deniedHits) {
        this.asked = asked;
        this.decision = decision;
        this.limits = limits;
        this.over = over;
        this.told = told;
        this.deniedHits = deniedHits;
        this.isOver = (decision != null && !decision.isAllowed()) || asked.isOver(over);
    }

    /** Of a request of which nothing is counted. */
    static DescriptorStatuses uncounted(DescriptorAsk asked) {
        return new DescriptorStatuses(
                asked, null, List.of(), asked.overAnyway(), new LimitStatus[asked.size()], DeniedHits.FREE);
    }

    static DescriptorStatuses of(DescriptorAsk asked, Decision decision, DeniedHits deniedHits) {
        boolean[] over = asked.overAnyway();
        @Nullable LimitStatus[] told = new LimitStatus[over.length];
        List<LimitStatus> limits = decision.limits();
        for (int i = 0; i < limits.size(); i++) {
            LimitStatus status = limits.get(i);
            int owner = asked.ownerOf(status.charge(), i);
            if (owner < 0) {
                continue;
            }
            boolean byRule = asked.met(owner).limitingRule() != null;
            over[owner] |= status.isExceeded() && (byRule || status.isEnforced());
            LimitStatus before = told[owner];
            if ((byRule || ShownLimits.isShown(status.charge()))
                    && (before == null || ShownLimits.isMorePressing(status, before))) {
                told[owner] = status;
            }
        }
        if (!decision.isAllowed() && !asked.isOver(over)) {
            blame(asked, decision, over);
        } else if (decision.isAllowed() && decision.decidedBy() == DecidedBy.FALLBACK) {
            closeUnseen(asked, decision, over);
        }
        return new DescriptorStatuses(asked, decision, limits, over, told, deniedHits);
    }

    /** No limit has denied. The one is over that needs a new key; of a store that failed or is full those that want it so, or all. */
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

    /** What was asked for without denying, and nobody could look at: by a rule that is not open it is over. */
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

    /** Null where nothing was counted. */
    @Nullable
    Decision decision() {
        return decision;
    }

    /** Whether that is what was answered: not where each descriptor was decided by itself, or quotas are over together. */
    boolean saysWhatWasMade() {
        return decision != null && deniedHits == DeniedHits.FREE && decision.isAllowed() != isOver;
    }

    /** What was looked at. */
    List<LimitStatus> limits() {
        return limits;
    }

    /** Who decided the request as a whole: what needs no counting goes before what was counted. */
    DecidedBy decidedBy() {
        return decision == null || asked.isOver(asked.overAnyway()) ? DecidedBy.POLICY : decision.decidedBy();
    }

    /** Whether the request as a whole is over its limits. */
    boolean isOver() {
        return isOver;
    }

    /** Whether a descriptor is, be it a shadow or not. */
    boolean isOver(int descriptor) {
        return over[descriptor];
    }

    /** The limit of a descriptor that matters most, as it stood; null where none was looked at that may be told of. */
    @Nullable
    LimitStatus told(int descriptor) {
        return told[descriptor];
    }

    /** What is left of that limit: nothing where denied hits count, and this was one. */
    long remaining(int descriptor) {
        LimitStatus status = told[descriptor];
        boolean isTaken = deniedHits == DeniedHits.COUNTED && over[descriptor];
        return status == null || isTaken ? 0 : status.remaining();
    }
}
