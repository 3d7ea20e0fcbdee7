package dev.penstock.bench.soak.hostile;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a hostile soak.
 *
 * @param perSecond honest requests per second
 * @param firstBad the first honest request that went wrong; null if none did
 * @param attacks the attacks in the order in which they began
 * @param longestCommandMillis of Redis; 0 if none took as long as {@link SoakStore#SLOW_MILLIS}
 */
record HostileResult(
        Duration length,
        int perSecond,
        Map<HonestOutcome, Long> honest,
        @Nullable String firstBad,
        List<HostileMoment> moments,
        List<AttackResult> attacks,
        List<ServiceEnd> services,
        long longestCommandMillis) {
    /**
     * The result of one attack.
     *
     * @param second when the attack began
     */
    record AttackResult(String name, long second, AttackCounts.Totals totals) {}

    HostileResult {
        moments = List.copyOf(moments);
        attacks = List.copyOf(attacks);
        services = List.copyOf(services);
    }

    long honest(HonestOutcome outcome) {
        return honest.getOrDefault(outcome, 0L);
    }

    long honestTotal() {
        return honest.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns how many records attackers may have left in Redis. */
    long stored() {
        return attacks.stream().mapToLong(attack -> attack.totals().stored()).sum();
    }
}
