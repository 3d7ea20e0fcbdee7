package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.policy.internal.read.AlgorithmWord.Numbers;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.text.Unexpected;
import dev.penstock.policy.internal.yaml.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit as a file has it, with its places, before plans are known.
 *
 * @param numbersAt where its rate or count stands
 * @param amount its rate or count; null where the plan has it
 * @param planName the plan's value that it takes; null where it has numbers of its own
 */
record LimitDraft(
        Field field,
        Field numbersAt,
        AlgorithmWord word,
        @Nullable Amount amount,
        @Nullable String planName,
        Numbers numbers,
        List<KeyPart> key,
        String unit,
        @Nullable Long cost,
        @Nullable Field costAt,
        @Nullable String id,
        @Nullable String counter,
        boolean local,
        boolean exposed,
        @Nullable BlockRule block,
        @Nullable WhenMissing whenMissing,
        @Nullable Long maxDebt) {
    /** The limit under these numbers. */
    Limit limit(Amount value) throws Unexpected {
        Algorithm algorithm = word.of(value, numbers);
        try {
            Limit limit = Limit.of(algorithm);
            if (!unit.equals(limit.unit())) {
                limit = limit.unit(unit);
            }
            if (id != null) {
                limit = limit.id(id);
            }
            return maxDebt == null ? limit : limit.maxDebt(maxDebt);
        } catch (IllegalArgumentException e) {
            throw new Unexpected("numbers that can be counted exactly; " + e.getMessage());
        }
    }

    /** Whether requests cost one that do not say. */
    boolean costsOne() {
        return unit.equals(Costs.REQUESTS) || unit.equals(Costs.SLOTS);
    }
}
