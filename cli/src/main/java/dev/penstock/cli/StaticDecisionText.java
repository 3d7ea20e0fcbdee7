package dev.penstock.cli;

import dev.penstock.spi.StaticDecision;

/** Describes a static decision in words. */
final class StaticDecisionText {
    private StaticDecisionText() {}

    static String of(StaticDecision ruling) {
        String verdict = ruling.verdict() == StaticDecision.Verdict.DENY ? "denied" : "allowed";
        return switch (ruling.by()) {
            case StaticDecision.DEFAULT -> verdict + " by default, since no policy matches";
            case StaticDecision.NO_LIMIT -> verdict + ", since no limit applies";
            default -> verdict + " by " + ruling.by() + ", without counting";
        };
    }
}
