package dev.penstock.cli;

import dev.penstock.policy.internal.text.DurationText;
import dev.penstock.policy.internal.text.Unexpected;
import java.time.Duration;

/** A time on a command line. */
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
