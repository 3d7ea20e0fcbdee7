package dev.penstock.cli;

import dev.penstock.spi.StaticDecision;

/** Describes a static decision in words. */
final class StaticDecisionText {
    private StaticDecisionText() {}

    static String of(StaticDecision staticDecision) {
        String verdict = staticDecision.verdict() == StaticDecision.Verdict.DENY ? "denied" : "allowed";
        return switch (staticDecision.by()) {
            case StaticDecision.DEFAULT -> verdict + " by default, because no policy matches";
            case StaticDecision.NO_LIMIT -> verdict + ", because no limit applies";
            default -> verdict + " by " + staticDecision.by() + ", without counting";
        };
    }
}
