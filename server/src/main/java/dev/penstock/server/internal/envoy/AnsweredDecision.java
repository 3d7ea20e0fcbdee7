package dev.penstock.server.internal.envoy;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Evidence;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import dev.penstock.spi.StaticDecision.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was answered to a request, as one decision for those who watch: the one that was made where it says the same, else one that
 * does, on what was seen.
 */
final class AnsweredDecision {
    private AnsweredDecision() {}

    static Decision of(DescriptorStatuses standing, long nowMicros) {
        DescriptorAsk asked = standing.asked();
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
    private static Decision ruled(
            DescriptorAsk asked, boolean isOver, @Nullable PolicyVersion version, long nowMicros) {
        String by = StaticDecision.DEFAULT;
        for (int i = asked.size() - 1; i >= 0; i--) {
            DescriptorMatch met = asked.met(i);
            if (met instanceof DescriptorMatch.Ruled ruled && (!isOver || (ruled.isOver() && !ruled.isShadow()))) {
                by = ruled.by();
            } else if (!isOver && met instanceof DescriptorMatch.Unlimited unlimited) {
                by = unlimited.rule().policy();
            } else if (!isOver && met instanceof DescriptorMatch.Nothing nothing && nothing.isListed()) {
                by = nothing.by();
            }
        }
        StaticDecision ruling = new StaticDecision(isOver ? Verdict.DENY : Verdict.ALLOW, by, version);
        return ruling.decision(Ask.of(ruling), nowMicros);
    }

    /** Whether a charge counts against the request; a quota only where all groups are over. */
    private static boolean denies(DescriptorStatuses standing, Charge charge) {
        DescriptorAsk asked = standing.asked();
        int owner = asked.ownerOf(charge, 0);
        DescriptorMatch met = owner < 0 ? null : asked.met(owner);
        if (met == null || met.limitingRule() == null) {
            return charge.isEnforced();
        }
        return !met.isShadow() && (!met.isQuota() || standing.isOver());
    }

    /** Nobody could look at what denied. */
    private static Decision failed(Ask ask, Decision made, long nowMicros) {
        return new Denied(Evidence.none(ask, nowMicros, made.decidedBy()), Denied.Reason.STORE_FAILED, Duration.ZERO);
    }
}
