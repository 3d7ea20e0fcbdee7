package dev.penstock.cli;

import dev.penstock.Ruling;

/** What is ruled without counting, in words. */
final class RulingText {
    private RulingText() {}

    static String of(Ruling ruling) {
        String verdict = ruling.verdict() == Ruling.Verdict.DENY ? "denied" : "allowed";
        return switch (ruling.by()) {
            case Ruling.DEFAULT -> verdict + " by default, since no policy matches";
            case Ruling.NO_LIMIT -> verdict + ", since no limit applies";
            default -> verdict + " by " + ruling.by() + ", without counting";
        };
    }
}
