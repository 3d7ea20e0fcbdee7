package dev.penstock.spi;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.internal.Expect;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a set of policies says of a request without counting anything: an entry of an allow or deny list matches it, or
 * nothing does and there is a default; or somebody has blocked a key of it by hand, for a time.
 *
 * @param by the name of what ruled: the list's entry, or {@value #DEFAULT}, or {@value #NO_LIMIT}, or {@value #BLOCK}
 * @param version of the policies; null where they have none
 * @param until when a denial ends, by the clock of the process; null where nobody knows of an end
 * @param about what would be charged to the key that is blocked; null where it is not about a key
 */
public record StaticDecision(
        Verdict verdict,
        String by,
        @Nullable PolicyVersion version,
        @Nullable Instant until,
        @Nullable Charge about) {
    /** What was ruled. */
    public enum Verdict {
        ALLOW,
        DENY,
        /** It would be denied, were that not only observed. */
        SHADOW
    }

    /** What rules where nothing matches. */
    public static final String DEFAULT = "default";

    /** What rules where policies match, and none of their limits applies. */
    public static final String NO_LIMIT = "no limit";

    /** What rules where somebody has blocked a key by hand. */
    public static final String BLOCK = "block";

    public StaticDecision(Verdict verdict, String by, @Nullable PolicyVersion version) {
        this(verdict, by, version, null, null);
    }

    public StaticDecision {
        Expect.present(verdict, "verdict");
        Expect.text(by, "by");
    }

    /** The same, only observed. */
    public StaticDecision observed() {
        return verdict == Verdict.DENY ? new StaticDecision(Verdict.SHADOW, by, version, null, about) : this;
    }

    /** The decision on an ask that was {@linkplain Ask#of(StaticDecision) ruled} so, for engines. */
    public Decision decision(Ask ruled, long nowMicros) {
        Evidence evidence = Evidence.none(ruled, nowMicros, DecidedBy.POLICY);
        if (verdict != Verdict.DENY) {
            return new Allowed(evidence, 0, null);
        } else if (until == null) {
            return new Denied(evidence, Denied.Reason.LISTED, Duration.ZERO);
        }
        Duration left = Duration.between(Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS), until);
        return new Denied(evidence, Denied.Reason.BLOCKED, left.isNegative() ? Duration.ZERO : left);
    }
}
