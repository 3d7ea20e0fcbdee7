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
 * A decision without counting. It is made if an entry of an allow or deny list matches, if nothing matches and there is
 * a default, if no limit applies, or if an operator has blocked a key. Immutable.
 *
 * @param verdict the decision
 * @param by the name of the list entry, or {@value #DEFAULT}, {@value #NO_LIMIT} or {@value #BLOCK}
 * @param version the version of the policies; null if they have none
 * @param until when a denial ends, by the clock of the process; null if it has no known end
 * @param about the charge that would be made to the blocked key; null if no key is blocked
 */
public record StaticDecision(
        Verdict verdict,
        String by,
        @Nullable PolicyVersion version,
        @Nullable Instant until,
        @Nullable Charge about) {
    /** The outcome of a static decision. */
    public enum Verdict {
        ALLOW,
        DENY,
        /** The request is allowed, and the denial is only reported. */
        SHADOW
    }

    /** The name of the decision if nothing matches. */
    public static final String DEFAULT = "default";

    /** The name of the decision if policies match but none of their limits applies. */
    public static final String NO_LIMIT = "no limit";

    /** The name of the decision if an operator has blocked a key. */
    public static final String BLOCK = "block";

    /** Creates a decision that has no known end and is not about a key. */
    public StaticDecision(Verdict verdict, String by, @Nullable PolicyVersion version) {
        this(verdict, by, version, null, null);
    }

    public StaticDecision {
        Expect.present(verdict, "verdict");
        Expect.text(by, "by");
    }

    /** Returns this decision in shadow mode: a denial is only reported, and the request is allowed. */
    public StaticDecision inShadow() {
        return verdict == Verdict.DENY ? new StaticDecision(Verdict.SHADOW, by, version, null, about) : this;
    }

    /**
     * Returns the {@link Decision} for an ask that was {@linkplain Ask#of(StaticDecision) decided} by this. For
     * engines.
     */
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
