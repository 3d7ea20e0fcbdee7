package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.spi.PolicySet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Makes decisions in a separate process and prints how many were written to the log, until it is killed. */
final class LoggingChild {
    private static final int MOST = 5_000_000;

    private LoggingChild() {}

    public static void main(String[] args) {
        LogChoices all = new LogChoices(LogChoices.WHOLE, LogChoices.WHOLE, () -> Instant.EPOCH);
        LineFile file = new LineFile(Path.of(args[0]), 100L << 20, 1);
        PolicySet users = Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(1, Duration.ofDays(1)), "user"));
        try (DecisionLog log = new DecisionLog(all, PolicyLabels.NONE, null, file, Clock.system());
                Limiter limiter = Limiter.builder(users).listener(log).build()) {
            long told = 0;
            for (int i = 0; i < MOST; i++) {
                limiter.decide(Request.of("user", "user-" + i));
                if (log.written() > told) {
                    told = log.written();
                    System.out.println(told);
                }
            }
        }
    }
}
