package dev.penstock.server.internal.envoy;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.PolicyVersion;
import dev.penstock.Ruling;
import dev.penstock.Ruling.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was answered to a request, as one decision for those who watch: the one that was made where it says the same, else one that
 * does, on what was seen.
 */
final class AnsweredDecision {
    private AnsweredDecision() {}

    static Decision of(Standing standing, long nowMicros) {
        Asked asked = standing.asked();
        Decision made = standing.decision();
        boolean[] anyway = asked.overAnyway();
        if (made == null || asked.isOver(anyway)) {
            return ruled(asked, standing.isOver(), made == null ? null : made.policyVersion(), nowMicros);
        }
        if (standing.saysWhatWasMade()) {
            return made;
        }
        Decision together = made.enforcing(charge -> denies(standing, charge));
        return together.isAllowed() != standing.isOver() ? together : failed(asked.ask(), made, nowMicros);
    }

    /** Without counting: by what denied, or else by the first that let it pass. */
    private static Decision ruled(Asked asked, boolean isOver, @Nullable PolicyVersion version, long nowMicros) {
        String by = Ruling.DEFAULT;
        for (int i = asked.size() - 1; i >= 0; i--) {
            Met met = asked.met(i);
            if (met instanceof Met.Ruled ruled && (!isOver || (ruled.isOver() && !ruled.isShadow()))) {
                by = ruled.by();
            } else if (!isOver && met instanceof Met.Unlimited unlimited) {
                by = unlimited.rule().policy();
            } else if (!isOver && met instanceof Met.Nothing nothing && nothing.isListed()) {
                by = nothing.by();
            }
        }
        Ruling ruling = new Ruling(isOver ? Verdict.DENY : Verdict.ALLOW, by, version);
        return ruling.decision(Ask.ruled(ruling), nowMicros);
    }

    /** Whether a charge counts against the request; a quota only where all groups are over. */
    private static boolean denies(Standing standing, Charge charge) {
        Asked asked = standing.asked();
        int owner = asked.ownerOf(charge, 0);
        Met met = owner < 0 ? null : asked.met(owner);
        if (met == null || met.limitingRule() == null) {
            return charge.isEnforced();
        }
        return !met.isShadow() && (!met.isQuota() || standing.isOver());
    }

    /** Nobody could look at what denied. */
    private static Decision failed(Ask ask, Decision made, long nowMicros) {
        return new Denied(
                Decision.Evidence.none(ask, nowMicros, made.decidedBy()), Denied.Reason.STORE_FAILED, Duration.ZERO);
    }
}
