package dev.penstock.cli;

import dev.penstock.policy.text.DurationText;
import dev.penstock.policy.text.Unexpected;
import java.time.Duration;

/** Parses a time on a command line. */
final class AdminTime {
    private AdminTime() {}

    static Duration parse(String option, String text) throws UsageError {
        try {
            return DurationText.parse(text);
        } catch (Unexpected e) {
            throw new UsageError(option, text, "a time such as 10m");
        }
    }
}
