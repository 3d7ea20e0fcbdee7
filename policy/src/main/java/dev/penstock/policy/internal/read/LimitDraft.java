package dev.penstock.policy.internal.read;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.PolicyLimit.WhenMissing;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.policy.internal.read.AlgorithmWord.Numbers;
import dev.penstock.policy.internal.select.KeyPart;
import dev.penstock.policy.internal.yaml.Field;
import dev.penstock.policy.text.Unexpected;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit as the file defines it, with its place, before plans are resolved.
 *
 * @param numbersAt where its rate or count is defined
 * @param amount its rate or count; null if it comes from a plan
 * @param planName the name of the plan's value that it uses; null if it has its own numbers
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
    /** Returns the limit with these numbers. */
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

    /** Returns true if a request that states no cost costs 1. */
    boolean costsOne() {
        return unit.equals(Costs.REQUESTS) || unit.equals(Costs.SLOTS);
    }
}
