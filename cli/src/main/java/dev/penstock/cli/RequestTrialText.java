package dev.penstock.cli;

import dev.penstock.Denied.Action;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.cli.Output.Tone;
import dev.penstock.cli.RequestTrial.LimitName;
import dev.penstock.cli.RequestTrial.Outcome;
import dev.penstock.cli.RequestTrial.RequestRange;
import dev.penstock.cli.RequestTrial.Variance;
import dev.penstock.policy.Difference;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats trials as text. */
final class RequestTrialText {
    private final Output out;

    RequestTrialText(Output out) {
        this.out = out;
    }

    void write(RequestTrial rehearsal, Instant moment) {
        List<RequestRange> stretches = rehearsal.stretches();
        long times = stretches.get(stretches.size() - 1).to();
        out.end();
        out.text(Plural.of(times, "such request") + " at " + moment + ": " + rehearsal.allowed() + " allowed")
                .end();
        int width = stretches.stream()
                .mapToInt(each -> numbers(each).length())
                .max()
                .orElse(0);
        for (RequestRange each : stretches) {
            out.text("  " + numbers(each) + " ".repeat(width - numbers(each).length() + 2));
            outcome(each);
            out.end();
        }
        if (!rehearsal.afterwards().isEmpty()) {
            afterwards(rehearsal.afterwards());
        }
    }

    private static String numbers(RequestRange each) {
        return each.size() == 1 ? Long.toString(each.from()) : each.from() + " to " + each.to();
    }

    private void outcome(RequestRange stretch) {
        Outcome outcome = stretch.outcome();
        StaticDecision staticDecision = outcome.staticDecision();
        if (staticDecision != null) {
            out.text(outcome.allowed() ? Tone.GOOD : Tone.BAD, StaticDecisionText.of(staticDecision));
        } else if (outcome.allowed()) {
            out.text(Tone.GOOD, "allowed").text(delay(stretch));
        } else {
            out.text(Tone.BAD, outcome.blocked() ? "blocked" : "denied")
                    .text(" by " + outcome.deniedBy() + action(outcome.action()) + retry(outcome.retry()));
        }
        if (!outcome.shadowDenials().isEmpty()) {
            String names =
                    outcome.shadowDenials().stream().map(LimitName::toString).collect(Collectors.joining(", "));
            out.text(Tone.ASIDE, "; would be denied by " + names);
        }
        for (Variance each : outcome.variances()) {
            String kind = each.kind() == Difference.Kind.STRICTER ? "deny" : "allow";
            out.text(Tone.ASIDE, "; the candidate " + each.candidate() + " would " + kind);
        }
    }

    private static String delay(RequestRange stretch) {
        if (stretch.longest().isZero()) {
            return "";
        }
        String longest = time(stretch.longest());
        return stretch.shortest().equals(stretch.longest())
                ? ", delayed by " + longest
                : ", delayed by " + time(stretch.shortest()) + " to " + longest;
    }

    private static String action(@Nullable Action action) {
        return action == null || action.equals(Action.DENY) ? "" : ", action " + action;
    }

    private static String retry(@Nullable Retry retry) {
        if (retry instanceof Retry.NotBefore notBefore) {
            return ", retry after " + time(notBefore.after());
        } else if (retry instanceof Retry.Estimate estimate) {
            return ", retry after about " + time(estimate.after());
        }
        return ", and can never fit";
    }

    /** Formats a duration exactly: {@code 1h37m30.25s}. */
    private static String time(Duration duration) {
        return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
    }

    private void afterwards(List<LimitStatus> limits) {
        out.text("afterwards:").end();
        int width = limits.stream()
                .mapToInt(each -> LimitName.of(each).toString().length())
                .max()
                .orElse(0);
        for (LimitStatus each : limits) {
            String name = LimitName.of(each).toString();
            out.text("  ")
                    .text(Tone.NAME, name)
                    .text(" ".repeat(width - name.length() + 2) + standing(each))
                    .end();
        }
    }

    private static String standing(LimitStatus status) {
        String reset = time(status.resetAfter());
        if (status.limit().algorithm() instanceof Concurrency) {
            long held = status.capacity() - status.remaining();
            return held + " of " + status.capacity() + " held"
                    + (held == 0 ? "" : ", for " + reset + " unless released");
        }
        if (status.isBlocked()) {
            return "blocked for " + reset;
        }
        String left = status.remaining() + " of " + status.capacity() + " left";
        return status.resetAfter().isZero() ? left : left + ", full again after " + reset;
    }
}
