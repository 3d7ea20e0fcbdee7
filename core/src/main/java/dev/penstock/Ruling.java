package dev.penstock;

import dev.penstock.internal.Expect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a set of policies says of a request without counting anything: an entry of an allow or deny list matches it, or
 * nothing does and there is a default.
 *
 * @param by the name of what ruled: the list's entry, or {@value #DEFAULT}, or {@value #NO_LIMIT}
 * @param version of the policies; null where they have none
 */
public record Ruling(Verdict verdict, String by, @Nullable PolicyVersion version) {
    /** What was ruled. */
    public enum Verdict {
        ALLOW,
        DENY
    }

    /** What rules where nothing matches. */
    public static final String DEFAULT = "default";

    /** What rules where policies match, and none of their limits applies. */
    public static final String NO_LIMIT = "no limit";

    public Ruling {
        Expect.present(verdict, "verdict");
        Expect.text(by, "by");
    }

    /** The decision on an ask that was {@linkplain Ask#ruled ruled} so, for engines. */
    public Decision decision(Ask ruled, long nowMicros) {
        Decision.Evidence evidence = Decision.Evidence.none(ruled, nowMicros, DecidedBy.POLICY);
        return verdict == Verdict.ALLOW
                ? new Allowed(evidence, 0, null)
                : new Denied(evidence, Denied.Reason.LISTED, Duration.ZERO);
    }
}
