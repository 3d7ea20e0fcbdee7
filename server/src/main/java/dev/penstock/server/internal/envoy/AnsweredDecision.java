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
 * Summarizes the answer to a request as one decision for listeners. It is the decision that was made if that says the
 * same as the answer, and otherwise a new one based on the same evidence.
 */
final class AnsweredDecision {
    private AnsweredDecision() {}

    static Decision of(DescriptorStatuses statuses, long nowMicros) {
        DescriptorAsk asked = statuses.asked();
        Decision made = statuses.decision();
        boolean[] anyway = asked.overAnyway();
        if (made == null || asked.isOver(anyway)) {
            return ruled(asked, statuses.isOver(), made == null ? null : made.policyVersion(), nowMicros);
        }
        if (statuses.saysWhatWasMade()) {
            return made;
        }
        Decision together = made.enforcing(charge -> denies(statuses, charge));
        return together.isAllowed() != statuses.isOver() ? together : failed(asked.ask(), made, nowMicros);
    }

    /** Returns a decision without counting, by the rule that denied, or else by the first that let the request pass. */
    private static Decision ruled(
            DescriptorAsk asked, boolean isOver, @Nullable PolicyVersion version, long nowMicros) {
        String by = StaticDecision.DEFAULT;
        StaticDecision denial = null;
        for (int i = asked.size() - 1; i >= 0; i--) {
            DescriptorMatch met = asked.met(i);
            if (met instanceof DescriptorMatch.Static ruled && (!isOver || (ruled.isOver() && !ruled.isShadow()))) {
                by = ruled.by();
                denial = isOver ? ruled.decision() : null;
            } else if (!isOver && met instanceof DescriptorMatch.Unlimited unlimited) {
                by = unlimited.rule().policy();
            } else if (!isOver
                    && met instanceof DescriptorMatch.Nothing nothing
                    && !nothing.by().equals(StaticDecision.DEFAULT)) {
                by = nothing.by();
            }
        }
        StaticDecision staticDecision =
                denial == null ? new StaticDecision(isOver ? Verdict.DENY : Verdict.ALLOW, by, version) : denial;
        return staticDecision.decision(Ask.of(staticDecision), nowMicros);
    }

    /** Returns true if a charge counts against the request. A quota counts only if all groups are over. */
    private static boolean denies(DescriptorStatuses statuses, Charge charge) {
        DescriptorAsk asked = statuses.asked();
        int owner = asked.ownerOf(charge, 0);
        DescriptorMatch met = owner < 0 ? null : asked.met(owner);
        if (met == null || met.limitingRule() == null) {
            return charge.isEnforced();
        }
        return !met.isShadow() && (!met.isQuota() || statuses.isOver());
    }

    /** Returns a denial for a store that could not report the limit that denied. */
    private static Decision failed(Ask ask, Decision made, long nowMicros) {
        return new Denied(Evidence.none(ask, nowMicros, made.decidedBy()), Denied.Reason.STORE_FAILED, Duration.ZERO);
    }
}
